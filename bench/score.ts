/**
 * How often the brand detector is right: on the labelled set of this project, and on real answers where
 * `SIGHTLINE_BENCH_DATA` names a folder with AI Product Bench's answers. `--verbose` lists what is wrong on the
 * answers it may be tuned on. Exit code 1 when a score falls below its floor in `docs/detector.md`.
 */
import { brandsOf, realAnswers, scoresOnReal } from "./RealAnswers.ts"
import { fallen, labelledSet, mistakes, percent, type Score, scoresOf } from "./Scores.ts"

const everyScore = (folder: string | undefined): ReadonlyArray<Score> => {
  const cases = labelledSet()
  const scores = (["tune", "held"] as const).flatMap((split) =>
    scoresOf(
      `labelled.${split}`,
      cases.filter((labelled) => labelled.split === split)
    )
  )
  if (folder === undefined) return scores
  const { tune, held } = realAnswers(folder)
  const report = (line: string): void => {
    if (process.argv.includes("--verbose")) console.log(line)
  }
  const everyBrand = [
    ...new Map([...tune, ...held].flatMap(brandsOf).map(({ letters, brand }) => [letters, brand])).values()
  ]
  return [
    ...scores,
    ...scoresOnReal("real.tune", tune, everyBrand, report),
    ...scoresOnReal("real.held", held, everyBrand, () => {})
  ]
}

if (process.argv.includes("--verbose")) {
  for (const labelled of labelledSet()) {
    const wrong = mistakes(labelled)
    if (wrong.length > 0 && labelled.split === "tune") {
      console.log(`${labelled.id} (${labelled.brand}): ${wrong.join("; ")} — ${labelled.why}`)
    }
  }
}
const scores = everyScore(process.env["SIGHTLINE_BENCH_DATA"])
for (const one of scores)
  console.log(`${one.name.padEnd(26)} ${percent(one).toFixed(2).padStart(6)} %  ${one.right}/${one.total}`)
const below = fallen(scores)
for (const line of below) console.error(line)
if (below.length > 0) process.exitCode = 1
