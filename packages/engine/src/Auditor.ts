import { Context, Effect, Layer, Option } from "effect"
import type { Difference, FoundCharge } from "@sightline/domain/Audit"
import { AuditRecords, type Key } from "@sightline/store/AuditRecords"
import * as ActionReplay from "./ActionReplay.ts"
import * as WalletReplay from "./WalletReplay.ts"

/** The result of an audit, with at most a thousand differences. */
export interface Audit {
  readonly ok: boolean
  readonly accounts: number
  readonly charges: number
  readonly differences: ReadonlyArray<Difference>
  /** The money received and where it is now: `topups = available + held + revenue`. Sums over all wallets, in millicredits. */
  readonly totals: {
    readonly topups: bigint
    readonly available: bigint
    readonly held: bigint
    readonly revenue: bigint
  }
}

const pageMax = 1000
const differencesMax = 1000

/**
 * Audits all ledgers: recomputes every charge, re-adds every balance, re-hashes every chain, including that of actions.
 *
 * Laws: reads each wallet from one snapshot, page by page, so it may run while money moves and at any size.
 */
export class Auditor extends Context.Service<Auditor, { readonly audit: Effect.Effect<Audit> }>()(
  "@sightline/engine/Auditor"
) {
  static readonly layer = Layer.effect(
    Auditor,
    Effect.gen(function* () {
      const records = yield* AuditRecords

      const chargesOf = (ids: ReadonlyArray<string>) =>
        Effect.map(records.charges(ids), (found) => new Map(found.map((charge) => [charge.id, charge])))

      const none: ReadonlyMap<string, FoundCharge> = new Map()

      const replayWallet = Effect.fnUntraced(function* (key: Key, report: (difference: Difference) => void) {
        const replay = WalletReplay.make(`${key.accountId} ${key.environment}`, report)
        let entries = yield* records.entries(key, null, pageMax)
        while (entries.length > 0) {
          const ids = new Set(entries.flatMap(({ chargeId }) => (chargeId === null ? [] : [chargeId])))
          const charges = yield* chargesOf([...ids])
          for (const entry of entries) replay.add(entry, charges.get(entry.chargeId ?? ""))
          entries = yield* records.entries(key, entries.at(-1)?.place ?? null, pageMax)
        }
        const row = Option.getOrUndefined(yield* records.wallet(key))
        const open = replay.open()
        replay.end(row, open.length === 0 ? none : yield* chargesOf(open))
        return { ...replay.totals(), available: BigInt(row?.available ?? 0), held: BigInt(row?.held ?? 0) }
      })

      const countCharges = Effect.fnUntraced(function* (report: (difference: Difference) => void) {
        let count = 0
        let page = yield* records.chargesAfter(null, pageMax)
        while (page.length > 0) {
          count += page.length
          for (const { id, opened } of page) if (!opened) report({ kind: "charge_without_entry", charge: id })
          page = yield* records.chargesAfter(page.at(-1)?.id ?? null, pageMax)
        }
        return count
      })

      const replayActions = Effect.fnUntraced(function* (report: (difference: Difference) => void) {
        const replay = ActionReplay.make(report)
        let actions = yield* records.actions(null, pageMax)
        while (actions.length > 0) {
          actions.forEach(replay.add)
          actions = yield* records.actions(actions.at(-1)?.place ?? null, pageMax)
        }
        replay.end(Option.getOrUndefined(yield* records.actionChain))
      })

      const audit = Effect.fn("Auditor.audit")(function* () {
        const differences: Array<Difference> = []
        const report = (difference: Difference) => {
          if (differences.length < differencesMax) differences.push(difference)
        }
        let accounts = 0
        let account = ""
        let totals = { topups: 0n, available: 0n, held: 0n, revenue: 0n }
        let key = yield* records.nextWallet(null)
        while (Option.isSome(key)) {
          if (key.value.accountId !== account) accounts += 1
          account = key.value.accountId
          const more = yield* records.snapshot(replayWallet(key.value, report))
          totals = {
            topups: totals.topups + more.topups,
            available: totals.available + more.available,
            held: totals.held + more.held,
            revenue: totals.revenue + more.revenue
          }
          key = yield* records.nextWallet(key.value)
        }
        const charges = yield* countCharges(report)
        yield* records.snapshot(replayActions(report))
        const spread = totals.available + totals.held + totals.revenue
        if (totals.topups !== spread)
          report({ kind: "books_total", expected: String(totals.topups), found: String(spread) })
        const result: Audit = { ok: differences.length === 0, accounts, charges, differences, totals }
        return result
      })
      return Auditor.of({ audit: audit() })
    })
  )
}
