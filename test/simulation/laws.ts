import { createHmac } from "node:crypto"
import { caughtUpOnce, givenUp, nothingSwept, sound } from "./houseLaws.ts"
import { balances, by, chain, type Law, proration, recorded, topUps, type Witnesses } from "./moneyLaws.ts"
import { brandOf, webhookSecret } from "./requests.ts"
import { runsTrue } from "./runLaws.ts"
import { retryMillis } from "./service.ts"
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
    // A 503 says that nothing was charged; whoever comes without a key does not come again.
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

const ownCharges: Law = ({ records, charges }) => {
  const recorded = by(records, ({ charge }) => charge)
  return charges.flatMap(({ id, state }) => {
    const mine = recorded.get(id) ?? []
    if (mine.length > 1) return [`charge ${id} pays for ${mine.length} things`]
    return state === "settled" && mine.length === 0 ? [`charge ${id} pays for nothing`] : []
  })
}

/** What a hold lasts, less what a call may take before it has one. */
const holdMillis = 120_000

const holdsLast: Law = (_, { wishes }) =>
  wishes.flatMap(({ key, n, told }) =>
    key === undefined && told.some(({ millis, status }) => status === 503 && millis < holdMillis)
      ? [`wish ${n} lost its hold while it was at work`]
      : []
  )

const slotMillis = 3_600_000

/** The runs that were started by hand, for a moment that is no slot: as many as were wanted at most. */
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

const deliveriesOnce: Law = ({ attempts, deliveries, records, runs }, { received, wishes }) => {
  const begun = by(attempts, ({ delivery }) => delivery)
  const causes = by(deliveries, ({ cause }) => cause)
  const requests = by(received, ({ headers }) => headers["x-svc-delivery-id"] ?? "")
  const known = new Set(attempts.map(({ id }) => id))
  const bodies = (id: string) =>
    new Set((begun.get(id) ?? []).flatMap((attempt) => (requests.get(attempt.id) ?? []).map(({ body }) => body)))
  const answered = (id: string) =>
    (begun.get(id) ?? []).flatMap((attempt) => (requests.get(attempt.id) ?? []).map(({ status }) => status))
  const jobs = new Set(wishes.flatMap(({ kind, n }) => (kind === "job" ? [brandOf(n)] : [])))
  return [
    ...records.flatMap(({ brand, id, isDone }) =>
      jobs.has(brand) && isDone !== causes.has(id)
        ? [`the ask for ${brand} is over and not told, or told and not over`]
        : []
    ),
    ...Array.from(requests, ([id, sent]) =>
      known.has(id)
        ? sent.length > 1
          ? [`attempt ${id} was made ${sent.length} times`]
          : []
        : [`request ${id} has no row`]
    ).flat(),
    ...Array.from(causes, ([cause, made]) =>
      made.length > 1 ? [`${cause} is told of ${made.length} times`] : []
    ).flat(),
    ...deliveries.flatMap(({ id, attempts: count, status }) => [
      ...((begun.get(id) ?? []).length === count && count <= 3
        ? []
        : [`delivery ${id} has lost count of its attempts`]),
      ...(status === "failed" && count < 3 ? [`delivery ${id} was given up too early`] : []),
      ...(bodies(id).size <= 1 ? [] : [`delivery ${id} says different things`]),
      ...(status === "delivered" && !answered(id).includes(200) ? [`delivery ${id} never arrived`] : [])
    ]),
    ...runs.flatMap(({ id, isDone, status, triggers }) =>
      isDone && status === "completed" && triggers.length > 0 !== causes.has(id)
        ? [`run ${id} fired and is not told, or is and did not`]
        : []
    )
  ]
}

/** What an attempt takes at most; one that is heard of later has been counted as lost by then. */
const attemptMillis = 10_000

const hmacOf = (text: string) => createHmac("sha256", webhookSecret).update(text).digest("hex")

/** A request is signed and says what its cause came to; the next one comes when the receiver has had its pause. */
const deliveriesTrue: Law = ({ attempts, charges, deliveries, records, runs }, { received }) => {
  const begun = new Map(attempts.map((attempt) => [attempt.id, attempt]))
  const causes = new Map(deliveries.map(({ cause, id }) => [id, cause]))
  const paid = new Map(charges.map(({ amount, id }) => [id, amount]))
  const numbered = new Map(attempts.map((attempt) => [`${attempt.delivery} ${attempt.number}`, attempt]))
  const isTrue = (text: string, cause: string | undefined): boolean => {
    const { data, run_id, triggers_fired } = JSON.parse(text)
    const ask = records.find(({ id, isDone }) => isDone && id === cause)
    if (ask !== undefined)
      return data.id === cause && BigInt(Math.round(data.usage.cost_cents * 1000)) === paid.get(ask.charge)
    return (
      run_id === cause && runs.some(({ id, triggers }) => id === cause && triggers.join() === triggers_fired.join())
    )
  }
  return [
    ...received.flatMap(({ body, headers }) => {
      const id = headers["x-svc-delivery-id"] ?? ""
      const stamp = headers["x-svc-timestamp"]
      return [
        ...(isTrue(body, causes.get(begun.get(id)?.delivery ?? "")) ? [] : [`attempt ${id} says what is not so`]),
        ...(headers["x-svc-signature"] === hmacOf(body) &&
        headers["x-svc-signature-legacy"] === `t=${stamp},v1=${hmacOf(`${stamp}.${body}`)}`
          ? []
          : [`attempt ${id} is not signed`])
      ]
    }),
    ...attempts.flatMap(({ begun: at, delivery, number }) => {
      const last = numbered.get(`${delivery} ${number - 1}`)
      const pause = retryMillis[number - 2] ?? 0
      return last === undefined ||
        at.getTime() - last.begun.getTime() - Math.min(last.duration ?? 0, attemptMillis) >= pause
        ? []
        : [`attempt ${number} of ${delivery} came too early`]
    })
  ]
}

/** Whoever was told that a run is under way finds it. */
const runsKept: Law = ({ runs }, { wishes }) =>
  wishes.flatMap(({ kind, n, told }) =>
    kind === "run" && told.some(({ body, status }) => status === 202 && !runs.some(({ id }) => id === body))
      ? [`the run of wish ${n} is gone`]
      : []
  )

/** What holds at every moment. */
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
  nothingSwept,
  caughtUpOnce,
  givenUp
}

/** What is looked at once all is over, because what it is about never changes. */
export const finallyTrue: Readonly<Record<string, Law>> = {
  answersTrue,
  failuresTrue,
  freshOnce,
  ownWallets,
  balancesTold,
  runsTrue,
  runsKept,
  deliveriesTrue,
  sound
}

/** What holds once all faults are over and everybody has had time: nothing that was accepted is left undone. */
export const quiet: Law = ({ charges, deliveries, records, runs }, { wishes }) => [
  ...charges.flatMap(({ id, state }) => (state === "held" ? [`charge ${id} is held for ever`] : [])),
  ...records.flatMap(({ brand, isDone }) => (isDone ? [] : [`the ask for ${brand} is never done`])),
  ...runs.flatMap(({ id, isDone }) => (isDone ? [] : [`run ${id} is never done`])),
  ...deliveries.flatMap(({ id, status }) => (status === "pending" ? [`delivery ${id} waits for ever`] : [])),
  ...wishes.flatMap(({ n, state }) => (state === "open" ? [`wish ${n} is never answered`] : []))
]

/** The laws that a state breaks, each with what breaks it. */
export const brokenBy = (state: State, witnesses: Witnesses, laws = always): ReadonlyArray<string> =>
  Object.entries(laws).flatMap(([name, law]) => law(state, witnesses).map((what) => `${name}: ${what}`))
