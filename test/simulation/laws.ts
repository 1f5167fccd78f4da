import { deliveriesOnce, deliveriesTrue, tenAtATime } from "./deliveryLaws.ts"
import { caughtUpOnce, nothingLost, nothingSwept, sound } from "./houseLaws.ts"
import { givenUp } from "./jobLaws.ts"
import { balances, by, chain, type Law, proration, recorded, topUps, type Witnesses } from "./moneyLaws.ts"
import { brandOf } from "./requests.ts"
import { runsTrue, skippedRightly } from "./runLaws.ts"
import type { State } from "./state.ts"
import { answersTrue, balancesTold, failuresTrue, freshOnce, ownWallets } from "./truthLaws.ts"

const onceEach: Law = ({ records, charges }, { wishes }) => {
  const own = by(records, ({ brand }) => brand)
  const charged = new Map(charges.map((charge) => [charge.id, charge]))
  return wishes.flatMap(({ isAlone, key, kind, n, state, told }) => {
    if (kind === "topup" || kind === "watch" || kind === "run") return []
    const mine = own.get(brandOf(n)) ?? []
    const good = told.filter(({ status }) => status < 300)
    const [first] = good
    if (mine.length > 1) return [`wish ${n} was done ${mine.length} times`]
    // A 503 says that nothing was charged; a caller without a key does not repeat its call.
    const isRefused = state === "refused" || (key === undefined && told.some(({ status }) => status === 503))
    if (first === undefined) return isRefused && isAlone && mine.length > 0 ? [`wish ${n} was refused and done`] : []
    const charge = charged.get(mine[0]?.charge ?? "")
    if (charge === undefined) return [`wish ${n} was answered and not done`]
    return [
      ...(good.some(({ body, isMistake }) => body !== first.body || isMistake !== first.isMistake)
        ? [`wish ${n} was answered in different ways`]
        : []),
      ...(first.cost !== undefined && BigInt(Math.round(first.cost * 1000)) !== charge.amount
        ? [`wish ${n} was told a cost of ${first.cost} and paid ${charge.amount}`]
        : [])
    ]
  })
}

/** A failed call is not charged, unless the database failed it twice: a caller with a key repeats the call. */
const failedFree: Law = ({ charges, records }, { failed, wishes }) => {
  const charged = new Set(charges.flatMap(({ amount, id }) => ((amount ?? 0n) > 0n ? [id] : [])))
  const own = by(records, ({ brand }) => brand)
  return wishes.flatMap(({ key, kind, n, told }) =>
    key === undefined && kind !== "watch" && kind !== "run" && told.some(({ status }) => status === 500)
      ? (own.get(brandOf(n)) ?? []).flatMap(({ charge }) =>
          charged.has(charge) && failed.filter((parameters) => parameters.includes(charge)).length < 2
            ? [`wish ${n} failed and was charged`]
            : []
        )
      : []
  )
}

const ownCharges: Law = ({ records, charges }) => {
  const recorded = by(records, ({ charge }) => charge)
  return charges.flatMap(({ id, state }) => {
    const mine = recorded.get(id) ?? []
    if (mine.length > 1) return [`charge ${id} pays for ${mine.length} things`]
    return state === "settled" && mine.length === 0 ? [`charge ${id} pays for nothing`] : []
  })
}

/** The duration of a hold, less the time a call may take before it has one. */
const holdMillis = 120_000

const holdsLast: Law = (_, { wishes }) =>
  wishes.flatMap(({ key, n, told }) =>
    key === undefined && told.some(({ at, begun, status }) => status === 503 && at - begun < holdMillis)
      ? [`wish ${n} lost its hold while it was at work`]
      : []
  )

const slotMillis = 3_600_000

/** The most runs that can have been started by hand, at times that are no slots. */
const startedByHand = (wishes: Witnesses["wishes"], watch: string) =>
  wishes.filter((wish) => wish.kind === "run" && wish.watch === watch).length

const runsOfWatches: Law = ({ records, runs, watches }, { wishes }) => {
  const made = by(records, ({ brand }) => brand)
  const own = by(runs, ({ watch }) => watch)
  return watches.flatMap(({ brand, created, id, next }) => {
    const all = own.get(id) ?? []
    const mine = all.filter(({ slot }) => (next.getTime() - slot.getTime()) % slotMillis === 0)
    const slots = mine.map(({ slot }) => slot.getTime()).sort((a, b) => a - b)
    const done = all.filter(({ status }) => status === "completed")
    const latest = next.getTime() - slotMillis
    return [
      ...(new Set(slots).size === slots.length ? [] : [`watch ${brand} ran twice in a slot`]),
      ...(slots.every((slot) => slot > created.getTime() && slot < next.getTime()) &&
      all.length - mine.length <= startedByHand(wishes, id)
        ? []
        : [`watch ${brand} ran outside of its slots`]),
      ...(latest <= created.getTime() ||
      all.some(({ finished, slot }) => slot.getTime() === latest || (finished?.getTime() ?? Infinity) >= latest)
        ? []
        : [`watch ${brand} missed its slot`]),
      ...(all.filter(({ isDone }) => !isDone).length <= 1 ? [] : [`watch ${brand} has two open runs`]),
      ...((made.get(brand) ?? []).length === done.length &&
      done.every(({ charge }) => (made.get(brand) ?? []).some((record) => record.charge === charge))
        ? []
        : [`the runs of watch ${brand} are not its checks`]),
      ...(wishes.some(({ kind, n }) => kind === "watch" && brandOf(n) === brand) ? [] : [`nobody wants watch ${brand}`])
    ]
  })
}

/** A run whose caller was told that it is under way exists. */
const runsKept: Law = ({ runs }, { wishes }) =>
  wishes.flatMap(({ kind, n, told }) =>
    kind === "run" && told.some(({ body, status }) => status === 202 && !runs.some(({ id }) => id === body))
      ? [`the run of wish ${n} is gone`]
      : []
  )

/** The laws that hold at every moment. */
export const always: Readonly<Record<string, Law>> = {
  balances,
  chain,
  proration,
  onceEach,
  ownCharges,
  topUps,
  recorded,
  holdsLast,
  runsOfWatches,
  deliveriesOnce,
  tenAtATime,
  nothingSwept,
  nothingLost,
  caughtUpOnce,
  givenUp
}

/** The laws that are checked once at the end, because the data they read never changes. */
export const finallyTrue: Readonly<Record<string, Law>> = {
  failedFree,
  answersTrue,
  failuresTrue,
  freshOnce,
  ownWallets,
  balancesTold,
  runsTrue,
  skippedRightly,
  runsKept,
  deliveriesTrue,
  sound
}

/** What holds once all faults are over and enough time has passed: everything that was accepted is finished. */
export const quiet: Law = ({ charges, deliveries, records, runs, watches }, { now, wishes }) => [
  ...charges.flatMap(({ id, state }) => (state === "held" ? [`charge ${id} is held for ever`] : [])),
  ...records.flatMap(({ brand, isDone }) => (isDone ? [] : [`the ask for ${brand} is never done`])),
  ...runs.flatMap(({ id, isDone }) => (isDone ? [] : [`run ${id} is never done`])),
  ...watches.flatMap(({ brand, next }) => (next.getTime() <= now ? [`watch ${brand} waits for its slot`] : [])),
  ...deliveries.flatMap(({ id, status }) => (status === "pending" ? [`delivery ${id} waits for ever`] : [])),
  ...wishes.flatMap(({ n, state }) => (state === "open" ? [`wish ${n} is never answered`] : []))
]

/** The laws that a state breaks, each with its breach. */
export const brokenBy = (state: State, witnesses: Witnesses, laws = always): ReadonlyArray<string> =>
  Object.entries(laws).flatMap(([name, law]) => law(state, witnesses).map((what) => `${name}: ${what}`))
