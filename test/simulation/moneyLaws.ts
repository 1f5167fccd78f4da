import { createHash } from "node:crypto"
import type { Wish } from "./requests.ts"
import type { State } from "./state.ts"
import type { Received, RecordedAnswer } from "./externals.ts"
import type { House, Loss, World } from "./world.ts"

/** What callers, receivers and platforms saw, which the tables must agree with, and the parameters of the world. */
export interface Witnesses {
  readonly wishes: ReadonlyArray<Wish>
  readonly received: ReadonlyArray<Received>
  readonly said: ReadonlyArray<RecordedAnswer>
  /** Errors that machines logged. */
  readonly complaints: ReadonlyArray<string>
  /** The parameters of each failed statement, and the ids in its lost response. */
  readonly failed: ReadonlyArray<string>
  /** When machines were killed or stalled, and whether by poison. */
  readonly losses: ReadonlyArray<Loss>
  /** When questions were refused by their recipients. */
  readonly refusals: ReadonlyArray<number>
  readonly nights: ReadonlyArray<readonly [from: number, to: number]>
  readonly house: House
  readonly knobs: World["knobs"]
  /** The current time of the world. */
  readonly now: number
}

/** A property of a state. Returns its breaches. */
export type Law = (state: State, witnesses: Witnesses) => ReadonlyArray<string>

/** The key of a customer's wallet in the tables. */
export const walletOf = ({ wallet: { accountId, environment } }: Wish["customer"]): string =>
  `${accountId} ${environment}`

const sum = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((all, amount) => all + amount, 0n)

/** A list grouped by a key. */
export const by = <A, K>(list: ReadonlyArray<A>, key: (item: A) => K): ReadonlyMap<K, ReadonlyArray<A>> =>
  Map.groupBy(list, key)

/** The debit and credit accounts of each kind of movement. */
const roads: Readonly<Record<string, string>> = {
  topup: "topups available",
  hold: "available held",
  capture: "held revenue",
  release: "held available",
  charge: "available revenue"
}

/** A balance is the sum of its entries and never negative, and the held balance is the price of the open charges. */
export const balances: Law = ({ wallets, entries, charges }) => {
  const own = by(entries, ({ wallet }) => wallet)
  return wallets.flatMap(({ wallet, available, held, entries: count, head }) => {
    const mine = own.get(wallet) ?? []
    const flow = (account: string) =>
      sum(mine.filter(({ credit }) => credit === account).map(({ amount }) => amount)) -
      sum(mine.filter(({ debit }) => debit === account).map(({ amount }) => amount))
    const open = charges.filter((charge) => charge.wallet === wallet && charge.state === "held")
    return [
      ...(available === flow("available") && held === flow("held")
        ? []
        : [`the balance of ${wallet} is not the sum of its entries`]),
      ...(available >= 0n && held >= 0n ? [] : [`the balance of ${wallet} is below zero`]),
      ...(held === sum(open.map(({ price }) => price))
        ? []
        : [`what ${wallet} holds is not the price of its open charges`]),
      ...(BigInt(mine.length) === count && (mine.at(-1)?.hash ?? "00".repeat(32)) === head
        ? []
        : [`the last entry of ${wallet} is not its head`])
    ]
  })
}

/** Every top-up is one row of the record of actions, and there are no other rows. */
export const recorded: Law = ({ actions, entries }) => {
  const done = entries.flatMap(({ kind, sequence, wallet }) =>
    kind === "topup" ? [`wallet_topped_up ${wallet}-${sequence}`] : []
  )
  const told = actions.map(({ action, subject }) => `${action} ${subject}`)
  return done.sort().join() === told.sort().join() ? [] : ["what was done is not what is recorded"]
}

/** Entries follow from each other, in sums and in hashes. */
export const chain: Law = ({ entries }) => {
  const broken: Array<string> = []
  for (const [wallet, own] of by(entries, (entry) => entry.wallet)) {
    const last = { hash: Buffer.alloc(32), available: 0n, held: 0n }
    for (const [at, entry] of own.entries()) {
      const { amount, available, charge, credit, debit, held, kind, memo, sequence, stamp } = entry
      if (roads[kind] !== `${debit} ${credit}` || amount <= 0n)
        broken.push(`entry ${sequence} of ${wallet} is no ${kind}`)
      const expected = (account: "available" | "held") =>
        last[account] + (credit === account ? amount : 0n) - (debit === account ? amount : 0n)
      if (sequence !== BigInt(at + 1) || available !== expected("available") || held !== expected("held"))
        broken.push(`entry ${sequence} of ${wallet} does not follow from the one before`)
      if (available < 0n || held < 0n) broken.push(`entry ${sequence} of ${wallet} goes below zero`)
      const [accountId = "", environment = ""] = wallet.split(" ")
      const text = [
        accountId,
        environment,
        sequence,
        charge ?? "",
        kind,
        debit,
        credit,
        amount,
        available,
        held,
        stamp,
        memo ?? ""
      ]
      const hash = createHash("sha256").update(last.hash).update(text.join("|")).digest()
      if (hash.toString("hex") !== entry.hash) broken.push(`entry ${sequence} of ${wallet} has another hash`)
      Object.assign(last, { hash, available, held })
    }
  }
  return broken
}

/** In thousandths of a credit: the price of one fresh answer, and of one from cache. */
const prices: Readonly<Record<string, { readonly fresh: bigint; readonly cached: bigint }>> = {
  "check quick": { fresh: 37_500n, cached: 1_250n },
  "ask live": { fresh: 10_000n, cached: 1_000n },
  "ask live_no_search": { fresh: 6_000n, cached: 1_000n },
  "ask standard": { fresh: 7_000n, cached: 1_000n },
  "ask standard_no_search": { fresh: 4_200n, cached: 1_000n }
}

/** A charge takes the price of each answer from a wallet that could pay for all of them, and releases the rest. */
export const proration: Law = ({ charges, entries }) => {
  const own = by(entries, ({ charge }) => charge)
  return charges.flatMap((charge) => {
    const { amount, cached, endpoint, id, mode, outcomes, platforms, price, state } = charge
    const moved = (kind: string) =>
      sum((own.get(id) ?? []).filter((entry) => entry.kind === kind).map((entry) => entry.amount))
    const paid = moved("capture") + moved("charge")
    const offer = prices[`${endpoint} ${mode}`]
    const n = BigInt(platforms.length)
    if (offer === undefined || price !== offer.fresh * n) return [`charge ${id} has no price of ours`]
    if (state === "held")
      return moved("hold") === price && paid === 0n && moved("release") === 0n ? [] : [`charge ${id} is not held`]
    const found = (outcome: string) => BigInt(Object.values(outcomes ?? {}).filter((other) => other === outcome).length)
    const due =
      endpoint === "ask"
        ? found("ok") * offer.fresh + found("cached") * offer.cached
        : found("ok") * (cached === true ? offer.cached : offer.fresh)
    return [
      ...(paid === due ? [] : [`charge ${id} took ${paid}, not ${due}`]),
      ...(own.get(id)?.some(({ amount: taken, available, kind }) => kind === "charge" && available + taken < price) ===
      true
        ? [`charge ${id} was let through without its full price`]
        : []),
      ...(amount === paid && (state === "settled") === paid > 0n ? [] : [`charge ${id} does not say what it took`]),
      ...(moved("hold") === 0n || moved("hold") === paid + moved("release")
        ? []
        : [`charge ${id} kept a part of its hold`])
    ]
  })
}

/** A top-up is made once, and exists once its caller was told so. */
export const topUps: Law = ({ entries }, { wishes }) => {
  const made = by(
    entries.filter(({ kind }) => kind === "topup"),
    ({ memo, wallet }) => `${wallet} ${memo}`
  )
  return wishes.flatMap(({ credits, customer, key, kind, n, told }) => {
    if (kind !== "topup") return []
    const mine = made.get(`${walletOf(customer)} ${key}`) ?? []
    if (mine.length > 1) return [`top-up ${n} was made ${mine.length} times`]
    if (told.some(({ status }) => status < 300) && mine[0]?.amount !== BigInt(credits) * 1000n)
      return [`top-up ${n} is lost`]
    return []
  })
}
