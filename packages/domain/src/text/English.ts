// The UTF-16 units that are read. They contain some of the most common words in any text of a language.
const sample = 1024

const threeOf = (words: string): RegExp => {
  const common = `\\b(?:${words})\\b`
  return new RegExp(`${common}.*?${common}.*?${common}`, "su")
}

const english = threeOf("the|and|with|are|this|that|you|it|to|have")
const german = threeOf("und|der|die|das|ist|mit|fur|den")
// Spanish, Portuguese, French, Italian, Dutch, Swedish and Polish.
const european = threeOf(
  "de|la|el|los|las|que|por|para|con|una|um|uma|com|nao|mas|les|des|et|est|pour|vous|il|di|che|per|non|piu|het|een|van|voor|je|och|att|det|som|nie|jest|na|sie"
)

/** Whether a folded text is English, by its most common words. */
export const isEnglish = (text: string): boolean => english.test(text.slice(0, sample))

/** Whether a folded text is German, by its most common words. */
export const isGerman = (text: string): boolean => german.test(text.slice(0, sample))

/** Whether a folded text that is not English is in one of the European languages in Latin letters that are read here. */
export const isEuropean = (text: string): boolean => isGerman(text) || european.test(text.slice(0, sample))
