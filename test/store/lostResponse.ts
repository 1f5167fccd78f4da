import { Config, Context, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Wallet } from "@sightline/domain/Wallet"
import { Asks } from "@sightline/store/Asks"
import { Charges } from "@sightline/store/Charges"
import { keepOpen, untilLocked, untilLockedOut } from "./locks.ts"
import { makeProxy, type Proxy } from "./proxy.ts"
import { inAnotherProcess } from "./purse.ts"

/** The moments at which a connection ends, relative to its statement. */
export const moments = ["before it arrives", "while it is under way", "before its answer arrives"] as const

/** The services of another process that spend money. */
type Distant = Context.Context<Asks | Charges>

/**
 * Runs `work` with a wallet's money in another process, whose connection is silent from that moment of its statement on and ends by
 * `end`.
 */
export const withResponseLost = Effect.fnUntraced(function* <A, E, R = never>(
  { accountId }: Wallet,
  moment: (typeof moments)[number],
  work: (distant: Distant) => Effect.Effect<A, E>,
  end: (proxy: Proxy) => Effect.Effect<void, never, R> = ({ mend }) => mend
) {
  const sql = yield* SqlClient.SqlClient
  const proxy = yield* makeProxy(yield* Config.String("SIGHTLINE_TEST_POSTGRES"))
  const distant = yield* inAnotherProcess(Layer.merge(Asks.layer, Charges.layer), proxy.socket)
  if (moment === "before it arrives") {
    // The process has connected before.
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
