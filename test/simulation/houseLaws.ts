import { checkLimit } from "./requests.ts"
import { by, type Law, type Witnesses } from "./moneyLaws.ts"
import { retryMillis } from "./service.ts"
import { callsOf, isPutFor, ownPages } from "./truthLaws.ts"

/** How long anything takes that waits for nothing outside. */
const atOnceMillis = 6_000

/** How long after a blackout all machines run. */
const startMillis = 15_000

/** The duration of a hold before the sweeper may release it. */
const holdMillis = 150_000

/** Whether machines of this kind of world die, or stall for longer than their leases. */
const isTroubled = (house: Witnesses["house"]): boolean => house === "shaky" || house === "drowsy"

/** Where no machine dies, the sweeper has nothing to do: every hold is released by its own call. */
export const nothingSwept: Law = ({ charges, records }, { house }) => {
  const jobs = new Set(records.flatMap(({ attempts, charge }) => (attempts > 0 ? [charge] : [])))
  return isTroubled(house)
    ? []
    : charges.flatMap(({ begun, ended, id }) =>
        !jobs.has(id) && ended !== null && ended.getTime() - begun.getTime() >= holdMillis
          ? [`charge ${id} was held until it was swept`]
          : []
      )
}

/** How long an attempt may be under way before it counts as lost. */
const leaseMillis = 30_000

/** Where no machine dies, every attempt has an end: a stopping machine waits for its attempts. */
export const nothingLost: Law = ({ attempts }, { house, nights }) =>
  isTroubled(house)
    ? []
    : attempts.flatMap(({ begun, delivery, error, number }) =>
        error === "unknown" && !nights.some(([from]) => Math.abs(from - begun.getTime()) <= leaseMillis)
          ? [`attempt ${number} of ${delivery} was lost`]
          : []
      )

/** Without internal faults, work is begun once and at once, and no caller is told of a failure. */
const begunOnce: Law = ({ records, runs }, { knobs, nights, wishes }) => [
  ...records.flatMap(({ announced, attempts, brand, made }) => [
    ...(attempts <= 1 ? [] : [`the ask for ${brand} was begun ${attempts} times`]),
    ...(announced === null || announced.getTime() === made.getTime() ? [] : [`the ask for ${brand} had to be found`])
  ]),
  ...runs.flatMap(({ attempts, id, slot, started }) => [
    ...(attempts <= 1 ? [] : [`run ${id} was begun ${attempts} times`]),
    ...((started?.getTime() ?? 0) - Math.max(slot.getTime(), ...nights.map(([, to]) => to + startMillis)) <=
    knobs.tickSeconds * 1000 + atOnceMillis
      ? []
      : [`run ${id} was begun late`])
  ]),
  ...wishes.flatMap(({ n, told }) =>
    told.flatMap(({ at, begun, status }) => [
      ...(status >= 500 || status === 409 ? [`wish ${n} was answered ${status}`] : []),
      ...(status >= 400 && at - begun > atOnceMillis ? [`wish ${n} was refused after ${at - begun} ms`] : [])
    ])
  )
]

/** Retries come when they are due, and not much later. */
const retriesInTime: Law = ({ attempts }) =>
  attempts.flatMap(({ begun, delivery, duration, number }) => {
    const next = attempts.find((other) => other.delivery === delivery && other.number === number + 1)
    if (next === undefined) return []
    const wait = next.begun.getTime() - begun.getTime() - (duration ?? 0)
    const due = retryMillis[number - 1] ?? 0
    return wait <= due + atOnceMillis ? [] : [`attempt ${number + 1} of ${delivery} came after ${wait} ms`]
  })

/** The end of the first call with an answer, by the page of the answer. */
const firstTold = (calls: ReturnType<typeof callsOf>): ReadonlyMap<number, number> => {
  const told = new Map<number, number>()
  for (const { charge, record } of calls)
    for (const { page } of record.sightings)
      told.set(page, Math.min(told.get(page) ?? Infinity, charge.ended.getTime()))
  return told
}

/** A call that asked several questions pays the fresh price for all answers, even if the question that it asked itself failed. */
const mayHaveFailed = ({ charge, record }: ReturnType<typeof callsOf>[number], page: number): boolean =>
  charge.cached === false &&
  Object.values(charge.outcomes ?? {}).some((outcome) => outcome !== "ok") &&
  record.sightings.some((sighting) => sighting.page === page)

/**
 * Of concurrent calls with the same question one asks it, and later ones are answered from cache; the one that asked pays for it. This
 * covers questions that no watch asks: a run always asks for itself.
 */
const askedOnce: Law = (state, witnesses) => {
  const { said, wishes } = witnesses
  const calls = callsOf(state, witnesses)
  const paid = new Set(Array.from(ownPages(state, witnesses).values()).flat())
  const watches = wishes.filter(({ kind }) => kind === "watch")
  const groups = by(
    said.filter((one) => !watches.some((wish) => isPutFor(one, wish))),
    ({ environment, platform, question: { country, turns, webSearch } }) =>
      [environment, platform, platform === "gemini_api" ? "" : country, turns[0].content, webSearch].join(" ")
  )
  const told = firstTold(calls)
  return Array.from(groups.values()).flatMap((group) =>
    group.flatMap(({ at = Infinity, n, platform }, place) => [
      ...(group.some((other, later) => later > place && other.askedAt < at)
        ? [`${platform} was asked again while it was at answer ${n}`]
        : []),
      ...(group.some((other) => other.askedAt > (told.get(n) ?? Infinity))
        ? [`${platform} was asked again what answer ${n} had said`]
        : []),
      ...(told.has(n) && !paid.has(n) && !calls.some((call) => mayHaveFailed(call, n))
        ? [`nobody paid for answer ${n} of ${platform}`]
        : [])
    ])
  )
}

/** The checks of each key, as its calls ended. */
const checksOf = ({ wishes }: Witnesses) =>
  Array.from(
    by(
      wishes.filter(({ kind }) => kind === "check"),
      ({ customer }) => customer.keyId
    )
  ).map(([key, own]) => {
    const calls = own.flatMap((wish) => wish.calls)
    const times = calls.flatMap(({ begun, status }) => (status === 429 ? [] : [begun])).sort((a, b) => a - b)
    return { key, calls, times }
  })

/** A key makes at most a burst of checks, and so many more per second. */
const limitsKept: Law = (_, witnesses) =>
  checksOf(witnesses).flatMap(({ key, times }) =>
    times.flatMap((from, at) =>
      times.slice(at).flatMap((to, more) => {
        const most = checkLimit.burst + (checkLimit.perSecond * (to - from + atOnceMillis / 2)) / 1000
        return more + 1 <= most ? [] : [`key ${key} made ${more + 1} checks in ${to - from} ms`]
      })
    )
  )

const refillMillis = (checkLimit.burst / checkLimit.perSecond) * 1000

/** A key is refused a check only when its burst is used up. */
const limitsRight: Law = (_, witnesses) =>
  checksOf(witnesses).flatMap(({ calls, key, times }) =>
    calls.flatMap(({ at, begun, status }) => {
      const before = times.filter((time) => time <= at && time >= begun - refillMillis - atOnceMillis).length
      return status !== 429 || before >= checkLimit.burst ? [] : [`key ${key} was refused after ${before} checks`]
    })
  )

/** A repeated call is answered as soon as the answer exists, even if messages are lost. */
const repeatedAtOnce: Law = (_, { wishes }) =>
  wishes.flatMap(({ calls, n }) => {
    const done = Math.min(...calls.flatMap(({ at, status }) => (status < 300 ? [at] : [])))
    return calls.flatMap(({ at, begun }) =>
      begun < done && at > done + atOnceMillis ? [`wish ${n} waited ${at - done} ms for the answer that was there`] : []
    )
  })

/** How long a caller waits for a platform. */
const graceMillis = 62_000

/** Every failure comes from a platform that reported it; a timeout from a platform that was still working on the question. */
const failuresOwned: Law = (state, witnesses) =>
  callsOf(state, witnesses).flatMap(({ charge, record, wish }) =>
    charge.platforms.flatMap((platform) => {
      const outcome = charge.outcomes?.[platform] ?? ""
      const late = charge.begun.getTime() + graceMillis
      const isTooLong = witnesses.said.some(
        (said) =>
          said.platform === platform &&
          isPutFor(said, wish) &&
          said.askedAt <= late + atOnceMillis &&
          (said.at ?? Infinity) >= late - atOnceMillis
      )
      return ["ok", "cached", "provider_error"].includes(outcome) || (outcome === "provider_timeout" && isTooLong)
        ? []
        : [`${record.kind} ${record.id} has a ${outcome} of ${platform} that nobody told it`]
    })
  )

/** No process logs an error. */
const noErrors: Law = (_, { complaints }) => complaints

const soundly = {
  begunOnce,
  retriesInTime,
  askedOnce,
  limitsKept,
  limitsRight,
  repeatedAtOnce,
  failuresOwned,
  noErrors
}

/** The laws of worlds without internal faults. */
export const sound: Law = (state, witnesses) =>
  witnesses.house === "sound"
    ? Object.entries(soundly).flatMap(([name, law]) => law(state, witnesses).map((what) => `${name}: ${what}`))
    : []

/** After a downtime a watch has one run for all it missed: none for a slot that was over when the machines came back. */
export const caughtUpOnce: Law = ({ runs, watches }, { nights }) =>
  runs.flatMap(({ slot, watch }) =>
    nights.some(([from, to]) => slot.getTime() > from && slot.getTime() + 3_600_000 <= to)
      ? [`watch ${watches.find(({ id }) => id === watch)?.brand} ran for a slot that had passed`]
      : []
  )
