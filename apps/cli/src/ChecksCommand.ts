import { Effect } from "effect"
import { Command } from "effect/cli"
import { NamedMode } from "@sightline/contract/CheckApi"
import { CheckFound, CheckList } from "@sightline/contract/CheckHistoryApi"
import { answer } from "./Answer.ts"
import { customer } from "./Connection.ts"
import { responseMode } from "./Exchange.ts"
import { given, id, maybe, maybeOneOf, page } from "./Flags.ts"
import { type Cell, fields, more, parts, type Screen, table } from "./Table.ts"

/** How many of the answers name the brand. A surface without an answer is not counted. */
const namedBy = ({ platforms }: CheckList["checks"][number]): string => {
  const answers = platforms.filter(({ surface_present }) => surface_present !== false)
  return `${answers.filter(({ mentioned }) => mentioned).length} of ${answers.length}`
}

const showAll = ({ checks: all, next_cursor }: CheckList, screen: Screen): string =>
  parts(
    table(
      screen,
      ["check", "at", "mode", "brand", "named by", "failed", "cost", "query"],
      all.map((one) => [
        one.id,
        one.created_at,
        one.mode,
        one.brand,
        namedBy(one),
        one.failures.length,
        one.cost_cents,
        one.query
      ])
    ),
    more(next_cursor)
  )

const showOne = ({ check }: CheckFound, screen: Screen): string => {
  const answered = check.platforms.map((one): ReadonlyArray<Cell> => {
    const seen = one.surface_present === false ? "no answer shown" : one.mentioned
    return [one.platform, seen, one.rank, one.citations.length, one.context]
  })
  const failed = check.failures.map(({ platform, code }): ReadonlyArray<Cell> => [platform, "failed", null, null, code])
  return parts(
    fields({
      check: check.id,
      at: check.created_at,
      query: check.query,
      brand: check.brand,
      mode: check.mode,
      region: check.region,
      watch: check.watch_id ?? undefined
    }),
    table(screen, ["platform", "mentioned", "rank", "citations", "context"], [...answered, ...failed]),
    fields({
      changed: check.difference === null ? undefined : check.difference.summary || "nothing",
      since: check.difference?.previous_id,
      cost: `${check.cost_cents} credits`
    })
  )
}

const list = Command.make(
  "list",
  {
    brand: maybe("brand", "Those of one brand"),
    query: maybe("query", "Those of one question"),
    mode: maybeOneOf("mode", NamedMode.literals, "Those of one mode"),
    watch_id: maybe("watch-id", "The runs of one watch"),
    start: maybe("start", "From this ISO 8601 date or moment on"),
    end: maybe("end", "Before this ISO 8601 date or moment"),
    ...page
  },
  Effect.fnUntraced(function* (flags) {
    const query = given(flags)
    const client = yield* customer
    yield* answer(client.checks.list({ query, responseMode }), CheckList, showAll)
  })
).pipe(Command.withDescription("List checks and runs of watches, newest first"))

const show = Command.make(
  "show",
  { id },
  Effect.fnUntraced(function* (params) {
    const client = yield* customer
    yield* answer(client.checks.find({ params, responseMode }), CheckFound, showOne)
  })
).pipe(Command.withDescription("Show a check and what changed since the previous one"))

/** `sightline checks`: the checks made so far. */
export const checks = Command.make("checks").pipe(
  Command.withDescription("The checks made by calls and by watches"),
  Command.withSubcommands([list, show])
)
