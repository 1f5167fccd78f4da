import { by, type Law, walletOf, type Witnesses } from "./moneyLaws.ts"
import { brandOf, type Wish } from "./requests.ts"
import type { Sighting, State } from "./state.ts"
import type { RecordedAnswer } from "./externals.ts"

const dayMillis = 86_400_000

/** The longest time from a platform's answer to its record, if a machine stalls in between. */
const onItsWayMillis = 300_000

/** A check or an ask that is over, with its charge and its wish. */
interface Call {
  readonly record: State["records"][number]
  readonly charge: State["charges"][number] & { readonly ended: Date }
  readonly wish: Wish
}

/** The calls that are over. */
export const callsOf = ({ charges, records }: State, { wishes }: Witnesses): ReadonlyArray<Call> => {
  const paid = new Map(charges.map((charge) => [charge.id, charge]))
  const wanted = new Map(wishes.map((wish) => [brandOf(wish.n), wish]))
  return records.flatMap((record) => {
    const [charge, wish] = [paid.get(record.charge), wanted.get(record.brand)]
    const ended = charge?.ended ?? null
    return record.isDone && charge !== undefined && ended !== null && wish !== undefined
      ? [{ record, charge: { ...charge, ended }, wish }]
      : []
  })
}

const countries = { us: "US", uk: "GB" } as const

/** Whether a question to a platform is the one that the wish asks. Gemini gets no country. */
export const isPutFor = (
  { environment, platform, question }: RecordedAnswer,
  { customer, isSearching, kind, ...wish }: Wish
) =>
  environment === customer.wallet.environment &&
  question.turns.length === 1 &&
  question.turns[0].content === wish.question &&
  (platform === "gemini_api" || question.country === countries[wish.region]) &&
  question.webSearch === (isSearching || kind === "check" || kind === "watch")

/** The place of the brand in an answer, from 1 on; null if it is not named. */
export const placeOf = ({ brands }: RecordedAnswer, brand: string): number | null =>
  brands.includes(brand) ? brands.indexOf(brand) + 1 : null

/** A recorded answer is what that platform answered to that very question, and not too long ago. */
export const answersTrue: Law = (state, witnesses) =>
  callsOf(state, witnesses).flatMap(({ charge, record, wish }) => {
    const told = new Map(record.sightings.map((sighting) => [sighting.platform, sighting]))
    const wrong = charge.platforms.flatMap((platform): ReadonlyArray<string> => {
      const [sighting, outcome] = [told.get(platform), charge.outcomes?.[platform] ?? ""]
      if ((sighting !== undefined) !== ["ok", "cached"].includes(outcome)) return ["and its charge differ"]
      if (sighting === undefined) return []
      const said = witnesses.said[sighting.page - 1]
      if (said === undefined || said.platform !== platform || !isPutFor(said, wish)) return ["is told another answer"]
      const age = charge.ended.getTime() - (said.at ?? Infinity)
      return [
        ...(age >= 0 && age < dayMillis + onItsWayMillis ? [] : [`is told an answer that is ${age} ms old`]),
        ...(sighting.rank === placeOf(said, record.brand) ? [] : ["does not have the brand where it is"])
      ]
    })
    return wrong.map((what) => `${record.kind} ${record.id} for ${record.brand} ${what}`)
  })

/** A platform recorded as failed has just failed. */
export const failuresTrue: Law = (state, witnesses) =>
  callsOf(state, witnesses).flatMap(({ charge, record, wish }) =>
    record.status === "failed"
      ? []
      : charge.platforms.flatMap((platform) => {
          const failed = witnesses.said.some(
            (said) =>
              said.isFailure &&
              said.platform === platform &&
              isPutFor(said, wish) &&
              (said.at ?? Infinity) <= charge.ended.getTime() &&
              (said.at ?? 0) >= charge.begun.getTime() - (witnesses.house === "sound" ? 10_000 : onItsWayMillis)
          )
          return failed || charge.outcomes?.[platform] !== "provider_error"
            ? []
            : [`${record.kind} ${record.id} has a failure of ${platform} that there was not`]
        })
  )

/** The pages for which each call must have asked itself: at least one of them, judging by its price. */
export const ownPages = (state: State, witnesses: Witnesses): ReadonlyMap<string, ReadonlyArray<number>> => {
  const owners = new Map<string, ReadonlyArray<number>>()
  for (const { charge, record, wish } of callsOf(state, witnesses)) {
    const asked = (isOwn: (sighting: Sighting) => boolean) =>
      record.sightings.filter(isOwn).map((sighting) => [`${record.id} ${sighting.page}`, [sighting.page]] as const)
    const isFailing = Object.values(charge.outcomes ?? {}).some((outcome) => outcome !== "ok")
    if (record.kind === "ask")
      for (const own of asked(({ platform }) => charge.outcomes?.[platform] === "ok")) owners.set(...own)
    else if (wish.kind === "watch") for (const own of asked(() => true)) owners.set(...own)
    // The question that it asked itself may be the one that failed.
    else if (charge.cached === false && !isFailing)
      owners.set(
        record.id,
        record.sightings.map(({ page }) => page)
      )
  }
  return owners
}

/** An answer is paid for at the fresh price by at most one call: each call that paid it can be assigned a page of its own. */
export const freshOnce: Law = (state, witnesses) => {
  const wants = ownPages(state, witnesses)
  const owner = new Map<number, string>()
  const settle = (call: string, passed: Set<number>): boolean =>
    (wants.get(call) ?? []).some((page) => {
      if (passed.has(page)) return false
      passed.add(page)
      const other = owner.get(page)
      if (other !== undefined && !settle(other, passed)) return false
      owner.set(page, call)
      return true
    })
  return Array.from(wants.keys()).flatMap((call) =>
    settle(call, new Set()) ? [] : [`${call} paid afresh for what others had asked`]
  )
}

/**
 * The balance that a caller is told is the one right after its call. A caller refused for an insufficient balance really has too little,
 * even with the hold of a dead process under the same key; a hold whose process knows of its failure is left to the sweeper.
 */
export const balancesTold: Law = ({ charges, entries, records }, { wishes }) => {
  const own = by(entries, ({ charge }) => charge)
  const done = by(records, ({ brand }) => brand)
  return wishes.flatMap(({ calls, claims, n, told }) =>
    told.flatMap(({ at, balance, begun, body, status }) => {
      const after = own.get(done.get(brandOf(n))?.[0]?.charge ?? null)?.at(-1)?.available
      if (status === 402) {
        const { balance_cents: has, required_cents: needs } = JSON.parse(body)
        const isOwn = charges.some(
          ({ begun: since, claim, ended }) =>
            claims.includes(claim ?? "") &&
            since.getTime() < begun &&
            (ended?.getTime() ?? Infinity) > at &&
            !calls.some((call) => call.status === 500 && call.at > since.getTime() && call.at <= at)
        )
        return has < needs && !isOwn ? [] : [`wish ${n} was refused ${needs} cents with ${has}, its own hold apart`]
      }
      return balance === undefined || after === undefined || BigInt(Math.round(balance * 1000)) === after
        ? []
        : [`wish ${n} was told a balance of ${balance} cents, not ${after}`]
    })
  )
}

/** The wallet that paid belongs to the caller. */
export const ownWallets: Law = (state, witnesses) =>
  callsOf(state, witnesses).flatMap(({ charge, record, wish }) =>
    charge.wallet === walletOf(wish.customer) ? [] : [`${record.kind} ${record.id} was paid from another's wallet`]
  )
