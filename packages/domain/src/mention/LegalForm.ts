import { fold } from "@sightline/domain/text/Fold"
import { isKnownBrand, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

const forms = [
  "inc|incorporated|llc|l\\.l\\.c|llp|pbc|ltd|limited|pvt\\.? ltd|private limited|corp|corporation|co|company|plc|p\\.l\\.c",
  "gmbh|mbh|ag|kg|kgaa|se|sa|s\\.a|s/a|sas|sarl|s\\.a\\.r\\.l|sca|s\\.c\\.a|cie|srl|s\\.r\\.l|spa|s\\.p\\.a|bv|b\\.v|nv|n\\.v",
  "ab|oy|oyj|as|a/s|a\\.s|a\\.ş|aş|asa|aps|s\\.?r\\.?o|d\\.?o\\.?o|sp\\.? z ?o\\.? ?o|nyrt|zrt|kft|pjsc|jsc",
  "pty|pte|pvt|sdn\\.? bhd|bhd|tbk|kk|k\\.k|ltda|s\\.?a\\.?(?:b\\.?)? de c\\.?v|ооо|оао|зао|пао"
].join("|")
const suffix = new RegExp(`^(.*?[^\\s,&])[\\s,&]+(?:and\\s+)?(?:${forms})\\.?$`, "iu")
const lone = new RegExp(`^(?:${forms})$`, "iu")
const cyrillicPrefix = /^(?:ооо|оао|зао|пао|ао)(?=[\s«"])\s*(.+)$/iu
const easternForm = "株式会社|有限会社|合同会社|㈱|[(（]株[)）]|주식회사|유한회사|㈜|[(（]주[)）]"
const easternPrefix = new RegExp(`^(?:${easternForm})\\s*(.+)$`, "u")
const easternSuffix = new RegExp(`^(.+?)\\s*(?:${easternForm}|股份有限公司|有限责任公司|有限公司|公司|集团)$`, "u")

// "GmbH & Co. KG" has three parts, and a fourth may come before it.
const mostForms = 4

/** Whether only an article and an ordinary word would be left ("The Boring"), so that the form belongs to the name. */
const isBareWord = (core: string): boolean => {
  const word = /^the\s+(\p{L}+)$/iu.exec(core)?.[1]
  if (word === undefined) return false
  const folded = fold(word).text
  return isOrdinaryWord(folded) && !isKnownBrand(folded)
}

/** Whether a word is a legal form and no more, as "Co" in "Acme & Co". */
export const isLegalForm = (word: string): boolean => lone.test(word)

/** The brand without its legal form: "Acme Co., Ltd." is Acme. */
export const withoutLegalForm = (brand: string): string => {
  let core = brand.trim()
  for (let round = 0; round < mostForms; round++) {
    const match = suffix.exec(core) ?? cyrillicPrefix.exec(core) ?? easternPrefix.exec(core) ?? easternSuffix.exec(core)
    const left = match?.[1]
    if (left === undefined || isBareWord(left)) return core
    core = left
  }
  return core
}
