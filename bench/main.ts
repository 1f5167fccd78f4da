/**
 * The bench suite: `npm run bench`, `npm run bench -- wallet http`, `npm run bench -- --list`, `--json FILE`.
 *
 * Each bench measures its limit along with its subject; the result is the ratio of the two in one run.
 */
import { globSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import type { Bench, Row } from "./Bench.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean" }, json: { type: "string" } }
})

const benches = await Promise.all(
  globSync("*.bench.ts", { cwd: import.meta.dirname })
    .sort()
    .map(async (file) => {
      const { bench }: { readonly bench: Bench } = await import(`./${file}`)
      return bench
    })
)

const unknown = positionals.filter((name) => benches.every((bench) => bench.name !== name))

const line = ({ subject, unit, value, limit, ratio, target }: Row): string => {
  const verdict = ratio >= target ? "reached" : "below"
  const figures = `${value.toFixed(value < 100 ? 2 : 0).padStart(10)} ${unit.padEnd(12)} limit ${limit.toFixed(limit < 100 ? 2 : 0).padStart(10)}`
  return `  ${subject.padEnd(58)} ${figures}  ratio ${ratio.toFixed(2)}  target ${target.toFixed(2)} ${verdict}`
}

if (values.list === true) {
  for (const { name } of benches) console.log(name)
} else if (unknown.length > 0) {
  console.error(`No such bench: ${unknown.join(", ")}. Try --list.`)
  process.exitCode = 1
} else {
  const results: Record<string, ReadonlyArray<Row>> = {}
  for (const bench of benches) {
    if (positionals.length > 0 && !positionals.includes(bench.name)) continue
    console.log(bench.name)
    const rows = await bench.run()
    results[bench.name] = rows
    for (const row of rows) console.log(line(row))
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
}
