/**
 * `npm run simulate -- --seeds N --seed S`: N worlds, starting with seed S. Exit code 1 if one of them breaks a law; then the
 * seed, the law and the end of the trace are printed, and `--seed S` alone repeats it. `--trace` prints the whole trace.
 */
import { parseArgs } from "node:util"
import { setup } from "../services/postgres.ts"
import { dropTemplate, makeTemplate } from "./database.ts"
import { type Outcome, simulate } from "./simulation.ts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    trace: { type: "boolean", default: false }
  }
})
const [count, first] = [Number(values.seeds), Number(values.seed)]
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(first)) {
  console.error("simulate: --seeds takes a number of seeds, --seed the first of them")
  process.exit(2)
}

const lastLines = 40

const report = ({ broken, seed, trace }: Outcome): void => {
  console.log((values.trace ? trace : trace.slice(-lastLines)).map((line) => `  ${line}`).join("\n"))
  for (const law of broken.slice(0, 10)) console.log(`seed ${seed} breaks a law: ${law}`)
  console.log(`npm run simulate -- --seed ${seed}   repeats it`)
}

const stop = await setup()
// Otherwise the server would keep running after this process.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void stop().finally(() => process.exit(130)))
const begun = process.hrtime.bigint()
let steps = 0
let red = 0
try {
  const template = await makeTemplate()
  for (let seed = first; seed < first + count; seed++) {
    const outcome = await simulate(template, seed)
    steps += outcome.steps
    const isGood = outcome.broken.length === 0
    if (!isGood) red += 1
    console.log(`seed ${seed}: ${isGood ? "good" : "RED"}, ${outcome.steps} events, trace ${outcome.hash}`)
    if (!isGood || values.trace) report(outcome)
  }
  await dropTemplate(template)
} finally {
  await stop()
}
const seconds = Number(process.hrtime.bigint() - begun) / 1e9
console.log(
  `${count} seeds, ${red} red: ${steps} events in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(2)} seeds/s`
)
process.exit(red === 0 ? 0 : 1)
