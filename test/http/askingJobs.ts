import { asking, sumOf } from "./asking.ts"
import { operator, type Program } from "./program.ts"

/** How many jobs, and how long each of their engines takes. */
export const jobs = (count: number, latency: string) => Array.from({ length: count }, () => latency)

/** Queues jobs whose engines each take this long. */
export const queueJobs = async (
  api: ReturnType<typeof asking>,
  webhook_id: string | undefined,
  latencies: ReadonlyArray<string>
) => {
  const accepted = await Promise.all(
    latencies.map((latency, n) =>
      api.queued({
        prompt: `best job ${n} of ${webhook_id} [[sandbox:latency=${latency};answer]]`,
        mode: "standard",
        providers: ["gemini", "openai"],
        ...(webhook_id === undefined ? {} : { webhook_id })
      })
    )
  )
  return accepted.map(({ ask_id }) => ask_id)
}

/** What became of the jobs, by their results, the ledger and the auditor. */
export const books = async (
  program: Program,
  { account, key, token }: { readonly account: string; readonly key: string; readonly token: string },
  ids: ReadonlyArray<string>
) => {
  const results = await Promise.all(ids.map((id) => asking(program, key).finished(id)))
  const { entries } = await operator(program, token).ledger(account)
  const count = (kind: string) => entries.filter((entry: { readonly kind: string }) => entry.kind === kind).length
  return {
    answered: results.filter(({ status, usage }) => status === "completed" && usage.billable_units === 2).length,
    holds: count("hold"),
    charges: count("capture") + count("charge"),
    charged: sumOf(entries, "capture") + sumOf(entries, "charge"),
    told: results.reduce((sum, { usage }) => sum + usage.cost_cents, 0),
    held: entries[0].held_after_cents,
    differences: (await operator(program, token).audit()).differences
  }
}

/** What it must be if each job ran and was charged once, for the answers in its result. */
export const eachOnce = (ids: ReadonlyArray<string>, { told }: { readonly told: number }) => {
  const count = ids.length
  return { answered: count, holds: count, charges: count, charged: told, told, held: 0, differences: [] }
}
