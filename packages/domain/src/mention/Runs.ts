import { fold } from "@sightline/domain/text/Fold"
import { type Capitals, type Run, runsOf } from "@sightline/domain/text/Capitals"
import { brandsJoined, isKnownBrand, lettersOf } from "@sightline/domain/text/Vocabulary"
import { hasKnownBrand } from "./Naming.ts"

/** Well-known brands with small words or an ampersand inside: part of a regular expression. */
export const joinedBrand = `(?:${brandsJoined.join("|").replaceAll("'", "['’]")})`

// Combining marks belong to a word, so that a decomposed name stays whole. "hOme" and "120Hz" begin no name.
const capital = "\\p{Lu}[\\p{L}\\p{M}\\p{Nd}'’&+]*(?:-[\\p{L}\\p{M}\\p{Nd}]+)*"
const capitalised = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{Nd}])(?:${joinedBrand}(?![\\p{L}\\p{M}\\p{Nd}])|` +
    `${capital}(?:\\.(?:com|co|io|ai|net|org)(?![\\p{L}.]))?(?:[ ](?:&[ ])?(?!${joinedBrand})${capital}){0,3})`,
  "uy"
)
const openings = new Set(brandsJoined.map((brand) => brand.split(" ", 1)[0]))

const areTwo = (run: string): boolean =>
  run.includes(" & ") && run.split(" & ").every(hasKnownBrand) && !isKnownBrand(lettersOf(fold(run).text))

const articleNonEnglish = /^(?:Der|Die|Das|Den|Dem|El|La|Los|Las|Le|Les|Il|Lo|Het|De|Os|As) (?=[\p{Lu}\d])/u

/** The length of a foreign article before a well-known brand: "Der Michelin Alpin", not "La Roche-Posay"; 0 where there is none. */
const articleOf = (run: string): number => {
  const article = articleNonEnglish.exec(run)?.[0].length ?? 0
  return article > 0 && hasKnownBrand(run.slice(article)) && !hasKnownBrand(run) ? article : 0
}

/** The capitalised runs of a text. Two well-known brands joined by an ampersand are two runs. */
export const capitalisedRuns = (text: string, capitals: Capitals): ReadonlyArray<Run> =>
  runsOf(text, capitals, capitalised, (word) => openings.has(word)).flatMap((one) => {
    const { from, run } = one
    if (!run.includes(" ")) return one
    const article = articleOf(run)
    return areTwo(run)
      ? run.split(" & ").map((part) => ({ run: part, from: from + run.indexOf(part) }))
      : { run: run.slice(article), from: from + article }
  })
