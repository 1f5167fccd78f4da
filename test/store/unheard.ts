import { Config, Context, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Wallet } from "@sightline/domain/Wallet"
import { Asks } from "@sightline/store/Asks"
import { Charges } from "@sightline/store/Charges"
import { keepOpen, untilLocked, untilLockedOut } from "./locks.ts"
import { makeProxy, type Proxy } from "./proxy.ts"
import { inAnotherProcess } from "./purse.ts"

/** When a connection ends, as seen from the statement on it. */
export const moments = ["before it arrives", "while it is under way", "before its answer arrives"] as const

/** What another process has to spend with. */
type Distant = Context.Context<Asks | Charges>

/**
 * What comes of `work` with a wallet's money by another process, whose connection is silent from that moment of its statement on
 * and ends by `end`.
 */
export const unheard = Effect.fnUntraced(function* <A, E, R = never>(
  { accountId }: Wallet,
  moment: (typeof moments)[number],
  work: (distant: Distant) => Effect.Effect<A, E>,
  end: (proxy: Proxy) => Effect.Effect<void, never, R> = ({ mend }) => mend
) {
  const sql = yield* SqlClient.SqlClient
  const proxy = yield* makeProxy(yield* Config.String("SIGHTLINE_TEST_POSTGRES"))
  const distant = yield* inAnotherProcess(Layer.merge(Asks.layer, Charges.layer), proxy.socket)
  if (moment === "before it arrives") {
    // It has connected before.
    yield* Context.get(distant, Charges).void(randomUUID())
    yield* proxy.clog
    const working = yield* Effect.forkChild(work(distant))
    yield* proxy.swallowed
    yield* end(proxy)
    return yield* Fiber.join(working)
  }
  const entries = sql`SELECT count(*) FROM ledger_entries WHERE account_id = ${accountId}`
  const [before] = yield* entries
  const release = yield* keepOpen(sql`SELECT FROM wallets WHERE account_id = ${accountId} FOR UPDATE`)
  const working = yield* Effect.forkChild(work(distant))
  yield* untilLocked
  yield* proxy.clog
  if (moment === "before its answer arrives") {
    yield* release
    yield* Effect.repeat(entries, { until: ([now]) => now?.["count"] !== before?.["count"] })
    yield* end(proxy)
  } else {
    yield* end(proxy)
    yield* untilLockedOut(2)
    yield* release
  }
  return yield* Fiber.join(working)
})
