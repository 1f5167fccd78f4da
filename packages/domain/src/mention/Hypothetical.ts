import type { Clause } from "@sightline/domain/text/Clause"

// How an English answer mentions a name without stating anything about it: expressions over folded text, before the name and after it.

// Verbs for how to find out about an unknown name.
const learn =
  "(?:ask|check|look|verify|contact|call|e-?mail|phone|ring|search|treat|run|type|paste|share|send|tell|give|feed|test|request|visit|point|drop|describe|compare|double-check|confirm|make sure|be (?:careful|wary|cautious)|hold off|query|google|find out|keep (?:an eye|in mind)|bear in mind|let me know|never|do not|don['’]t|put|press|insist|watch|read up|review|examine|vet|evaluate|assess|judge|investigate|research|consult|browse|see (?:if|whether|what|how)|note (?:that|the))"

const before = new RegExp(
  [
    "\\b(?:if|whether|could you|can you|would you|will you|please|clarify|perhaps|possibly|maybe|did you mean|assum(?:e|ing)|supposing|tell me|spelling|spelled|spelt|share|in case|unless|until|once you|are you sure|any chance|wonder(?:ing)?|suspect|guess|pretend(?:ing)?)\\b",
    "\\b(?:should|would|could|might|may)\\W{1,4}$|^\\W*(?:should|would|could|might|may|does|do|did|has|is|are|was)\\b",
    "\\b(?:red flags|signs|questions|alternatives to|checklist|absence of|context (?:about|on)|link (?:for|to)|on social media)\\b",
    "\\b(?:before|when|while|without|instead of|rather than) \\w",
    `(?:^|[;:,–—(]\\s*|\\b(?:and|so|then|or|to|you (?:could|can|may|might|should|will|must|need to|['’]ll want to)|you['’]d (?:better|want to))\\s+(?:also |always |still |simply |just |first )?)\\W*${learn}\\b`,
    "\\bi (?:searched|looked|checked|hunted) (?:for|up|into)\\b|\\bi(?:['’]d| would)\\b|\\blet me\\b|\\byou(?:['’]re| are|['’]ve)? (?:also )?(?:ask(?:ed|ing)?|mention(?:ed)?|want(?:ed)?|listed|named|wrote|typed|search(?:ed|ing)|thinking|looking|referring|mean(?:t)?)\\b",
    "\\b(?:the (?:name|word|term)|words|named|called|titled)\\s[\"'“*_]{1,3}$"
  ].join("|"),
  "u"
)
const after = new RegExp(
  "^[\\s\"'”’*_]*(?:may|might|could|would|should|is (?:likely|probably|possibly|perhaps|(?:a |an )?(?:new|small|fictional|niche|local|private|made-up|misspell))|appears to be|seems|sounds)\\b|" +
    "^['’]s (?:own )?(?:[\\w-]+ )?(?:page|(?:web)?site|feature list|checkout|terms|documentation|docs|help cent(?:re|er)|support|staff|team|representatives?|brochure|claims?)\\b|" +
    '\\?[\\s"”’*_)]*$|^[^.?!;:]{0,80}\\b(?:would|should|could|might|may|than i can)\\b|^\\W*\\b(?:included|itself quotes|directly)\\b',
  "u"
)

// "If", "before you", "check", "perhaps" in other languages.
const nonEnglishBefore =
  /(?<![a-zа-я])(?:wenn|falls|sofern|bevor|sollte\w*|ob|konntest|kannst du|hast du|vielleicht|moglicherweise|prufen?|frag\w*|si|au cas ou|avant d\S*|pour (?:connaitre|savoir|verifier|evaluer)|peut-etre|pourriez|pouvez-vous|verifiez|consultez|demandez|contactez|en caso|antes de|podrias|quizas?|tal vez|comprueba|consulta|verifica|se|caso|poderia|talvez|verifique|confirme|consulte|prima di|potresti|forse|magari|controlla|chiedi|als|mocht|indien|voordat|kun je|misschien|controleer|vraag|jesli|jezeli|czy|zanim|sprawdz|om|ifall|innan|har du|kan du|kanske|kontrollera|eger|если|прежде чем|перед|возможно|проверьте|уточните|спросите)(?![a-zа-я])|如果|若|假如|请|もし|만약|혹시/u
const nonEnglishAfter =
  /^[^。.!?]{0,30}(?:場合|かもしれ|다면|으면|라면|の公式|的官网|의 (?:공식|다운로드|링크|웹사이트))|？\s*$/u

const heading = /^\s*(?:#{1,6}\s|\*\*|__|[-*•]\s\*\*)[^.!|]{0,40}$/u
const headingEnd = /^[^.!|]{0,30}$/u
const atLoss = /\b(?:i|my|we|you asked|no|nothing|none|n\/a|unknown|not)\b|n['’]t\b/u

/** Whether the clause is a heading or label, and the text below it says that the answer knows nothing. */
const isAboveLoss = ({ before, after, next }: Clause): boolean =>
  heading.test(before) && headingEnd.test(after) && atLoss.test(next())

// "If money is no object, choose Acme."
const advised =
  /(?<!\b(?:to|you|before|not|n['’]t) )\b(?:choose|go (?:with|for)|opt for|try|pick|get|consider|buy|use|recommend|suggest|prefer|start with|best is|winner is)\s(?:the\s)?[\s"'“‘*_[(]*$/u

/** Whether the clause only supposes something of its name, as an answer does before or after it says that it does not know the name. */
export const isHypothetical = (clause: Clause): boolean =>
  !advised.test(clause.before) &&
  (before.test(clause.before) ||
    after.test(clause.after) ||
    nonEnglishBefore.test(clause.before) ||
    nonEnglishAfter.test(clause.after) ||
    isAboveLoss(clause))
