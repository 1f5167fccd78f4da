// What running text names beside what it is about: where things are bought or done, what they use, and whose they are.

const where = "[Oo]n|[Ii]n|[Aa]t|[Vv]ia|[Tt]hrough|into|inside|[Oo]utside|[Aa]cross|[Ww]ithin|near|of the"
// "Look at Acme", "invest in Acme".
const meant = "\\b(?:look|invest|interest|settl|rel[iy]|decid|land)\\w*"
const uses = "supports?|supporting|speaks|uses?|using|over|with (?:an?|its|their)"
const whose = "(?:owned|backed|made|built|run|bought|founded|issued|powered|published|designed|tested|rated) by|part of"
const name = "[\\p{Lu}\\d][\\p{L}\\p{M}\\p{Nd}'’&+.-]*(?:\\s[\\p{Lu}\\d][\\p{L}\\p{M}\\p{Nd}'’&+-]*){0,3}"

// With the names before it in a series: "connects through Acme, Bolt and …".
const passing = new RegExp(
  `(?<!\\p{L}|${meant}\\s)(?:${where}|${uses}|${whose})\\s(?:(?:the|an?|its|their|your|own)\\s){0,2}` +
    `(?:${name}(?:,?\\s(?:and|or|&)\\s|,\\s)){0,5}[*_"“]{0,3}$`,
  "u"
)
const reach = 120

// Most names open a sentence or stand behind another sign, which a short look tells.
const joined = /[\p{L},&]\s[*_"“]{0,3}$/u
const shortReach = 5

/** Whether English names something at `from` beside what it is about. */
export const isInPassing = (text: string, from: number): boolean =>
  joined.test(text.slice(Math.max(0, from - shortReach), from)) &&
  passing.test(text.slice(Math.max(0, from - reach), from))
