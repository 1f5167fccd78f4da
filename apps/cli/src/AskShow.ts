import { Schema } from "effect"
import { ArchivedAsk, AskAccepted, AskPending } from "@sightline/contract/AskApi"
import { AskResult } from "@sightline/contract/AskResult"
import { fields, parts, type Screen, spoken, table } from "./Table.ts"

/** What `POST /v1/ask` returns: an answer, or that the ask is queued. */
export const AskAnswer = Schema.Union([AskResult, AskAccepted])

/** What `GET /v1/ask/{id}` returns: an answer, or that there is none yet. */
export const AskFound = Schema.Union([ArchivedAsk, AskPending])

/** The tracked brands that no answer names; nothing if there are no answers. */
const unnamed = (ask: typeof AskResult.Type, tracked: ReadonlyArray<string>): string => {
  const named = new Set(ask.brand_mentions.map(({ brand }) => brand))
  const missing = ask.providers.every((one) => "error" in one) ? [] : tracked.filter((brand) => !named.has(brand))
  return missing.length === 0 ? "" : fields({ "not named": missing.join(", ") })
}

const showResult = (ask: typeof AskResult.Type, screen: Screen, tracked: ReadonlyArray<string> = []): string =>
  parts(
    ...ask.providers.map((one) =>
      "error" in one
        ? fields({ provider: one.provider, failed: `${one.error.code}: ${one.error.message}` })
        : spoken({ provider: one.provider, model: one.model, seconds: one.latency_ms / 1000 }, one.content)
    ),
    ask.brand_mentions.length === 0
      ? ""
      : table(
          screen,
          ["brand", "provider", "rank", "sentiment", "context"],
          ask.brand_mentions.map((one) => [one.brand, one.provider, one.rank, one.sentiment, one.context])
        ),
    unnamed(ask, tracked),
    ask.citations.length === 0
      ? ""
      : table(
          screen,
          ["cited by", "page"],
          ask.citations.map((one) => [one.providers_cited.join(" "), one.canonical_url])
        ),
    fields({ ask: ask.id, cost: `${ask.usage.cost_cents} credits${ask.cached ? ", from cache" : ""}` })
  )

/** An answer to `ask`, which looked for the `tracked` brands; for a queued ask, how to get its answer. */
export const showAsk =
  (tracked: ReadonlyArray<string>) =>
  (ask: typeof AskAnswer.Type, screen: Screen): string =>
    "ask_id" in ask
      ? fields({ ask: ask.ask_id, status: ask.status, cost: ask.price_label, look: `sightline ask get ${ask.ask_id}` })
      : showResult(ask, screen, tracked)

/** An answer to `ask get`, or the status of the ask. */
export const showFound = (ask: typeof AskFound.Type, screen: Screen): string =>
  "providers" in ask
    ? parts(showResult(ask, screen), fields({ status: ask.status, charge: ask.charge_id }))
    : fields({ ask: ask.id, status: ask.status, charge: ask.charge_id })
