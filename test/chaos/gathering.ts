import { Schema } from "effect"
import { ArchivedAsk, AskPending } from "@sightline/contract/AskApi"
import { CheckList } from "@sightline/contract/CheckHistoryApi"
import { DeliveryFound, DeliveryList } from "@sightline/contract/DeliveryApi"
import { ChargeList, WalletFound, WalletLedger } from "@sightline/contract/WalletApi"
import { RunList } from "@sightline/contract/WatchApi"
import { call } from "../http/program.ts"
import type { Customer } from "./customers.ts"
import type { Books, Invocation } from "./history.ts"

const decode = {
  ask: Schema.decodeUnknownSync(Schema.Union([ArchivedAsk, AskPending])),
  charges: Schema.decodeUnknownSync(ChargeList),
  checks: Schema.decodeUnknownSync(CheckList),
  deliveries: Schema.decodeUnknownSync(DeliveryList),
  delivery: Schema.decodeUnknownSync(DeliveryFound),
  ledger: Schema.decodeUnknownSync(WalletLedger),
  runs: Schema.decodeUnknownSync(RunList),
  wallet: Schema.decodeUnknownSync(WalletFound)
}

/** The ids of an account's accepted asks. */
const asksOf = (history: ReadonlyArray<Invocation>, account: string): ReadonlyArray<string> => {
  const ids = history.flatMap(({ outcome, ...call }) =>
    call.account === account && call.kind === "ask" && outcome !== "unknown" && outcome.status === 202
      ? [String(JSON.parse(outcome.text).ask_id)]
      : []
  )
  return [...new Set(ids)]
}

/** A customer's view through one API. */
export const gathering = (base: string, { account, key, watches }: Customer) => {
  const get = async (path: string) => (await call(`${base}/v1/${path}`, { key })).body

  /** All pages of a list, the newest first. */
  const pages = async <Page extends { readonly next_cursor: string | null }, One>(
    path: string,
    decode: (body: unknown) => Page,
    list: (page: Page) => ReadonlyArray<One>
  ): Promise<ReadonlyArray<One>> => {
    const found: Array<One> = []
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Page = decode(await get(`${path}limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`))
      found.push(...list(page))
      cursor = page.next_cursor
    }
    return found
  }

  const asks = (history: ReadonlyArray<Invocation>) =>
    Promise.all(asksOf(history, account).map(async (id) => decode.ask(await get(`ask/${id}`))))
  const runs = async () =>
    (await Promise.all(watches.map((id) => pages(`watch/${id}/runs?`, decode.runs, (page) => page.runs)))).flat()
  const deliveries = (query: string) => pages(`deliveries?${query}`, decode.deliveries, (page) => page.deliveries)

  return {
    held: async () => decode.wallet(await get("wallet")).held_cents,
    /** Whether nothing is under way. */
    isCalm: async (history: ReadonlyArray<Invocation>): Promise<boolean> =>
      (await asks(history)).every((ask) => "usage" in ask) &&
      (await runs()).every(({ finished_at }) => finished_at !== null) &&
      (await deliveries("status=pending&")).length === 0,
    books: async (history: ReadonlyArray<Invocation>): Promise<Books> => {
      const told = await deliveries("")
      return {
        account,
        wallet: decode.wallet(await get("wallet")),
        entries: await pages("ledger?", decode.ledger, (page) => page.entries),
        charges: await pages("charges?", decode.charges, (page) => page.charges),
        checks: await pages("checks?", decode.checks, (page) => page.checks),
        asks: await asks(history),
        runs: await runs(),
        deliveries: await Promise.all(told.map(async ({ id }) => decode.delivery(await get(`deliveries/${id}`))))
      }
    }
  }
}
