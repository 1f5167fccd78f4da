// Headings and introductions such as "How to choose", "What to look for" and "Tips for buyers". The list below them gives advice and names
// nothing.

const longest = 60

const tasks = "ask|avoid|check|consider|expect|keep|know|look|think"
const subjects = "what|(?:key )?(?:factors|features|ingredients|materials|questions|specs|terms|things)"
const english = `(?:how to|(?:${subjects}) (?:to|you should) (?:${tasks})|tips (?:for|on))\\b.*|(?:key )?ingredients|(?!.*\\b(?:best|picks?|top)\\b)(?:.*\\s)?(?:tips|considerations)`

const opened =
  "(?:c[oó]mo (?:elegir|escoger|usar|comprar)|(?:en )?qu[eé] (?:buscar|considerar|fijarte|fijarse|tener)|consejos|" +
  "worauf|wie (?:du|man|sie|wähl\\p{L}+)|tipps|kaufberatung|comment (?:bien |choisir|utiliser)|conseils|crit[eè]res|à (?:quoi|savoir|vérifier)|" +
  "como escolher|dicas|o que (?:considerar|observar)|come (?:scegliere|usare)|consigli|criteri|(?:che )?cosa (?:considerare|cercare|guardare|valutare)|" +
  "hoe kies|waar(?:op)? (?:je|let|moet)|jak wybra[cć]|na co|porady|wskaz[oó]wki|hur (?:du|man)|att tänka på|nasıl seç\\p{L}*|ipuçları|" +
  "как выбрать|на что|советы|نصائح|كيف)(?!\\p{L}).*"
const unspaced =
  ".*(?:選び方|ポイント|注意点|使い方|コツ|建议|指南|技巧|要点|注意事项|如何选择|怎么选|고르는|선택 기준|팁)"

const guidance = new RegExp(`^[*_\\s]*(?:${english}|${opened}|${unspaced})[*_:：?？\\s]*$`, "iu")

/** Whether a heading, or a line that leads to a list, says that advice follows. */
export const isGuidance = (line: string): boolean => line.length <= longest && guidance.test(line)
