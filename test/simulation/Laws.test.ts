/**
 * Each law of the simulation detects a state that breaks it: the state of one world with a single change.
 * The faults that each law has detected in the product are listed in `docs/decisions/0014`.
 */
import { assert, describe, it } from "vitest"
import { useFirstWorld } from "./firstWorld.ts"
import { always, brokenBy, finallyTrue, quiet } from "./laws.ts"
import type { Witnesses } from "./moneyLaws.ts"
import { brandOf, type Told, type Wish } from "./requests.ts"
import type { State } from "./state.ts"
import { epoch } from "./world.ts"

const world = useFirstWorld()

/** A state in which the first row that `isSo` selects is changed. */
const doctored = <Table extends keyof State>(
  table: Table,
  isSo: (row: State[Table][number]) => boolean,
  change: (row: State[Table][number]) => ReadonlyArray<State[Table][number]>
): State => {
  const rows: ReadonlyArray<State[Table][number]> = world.first.state[table]
  const at = rows.findIndex(isSo)
  assert.isAtLeast(at, 0, `the world has such a row of ${table}`)
  return { ...world.first.state, [table]: rows.flatMap((row, place) => (place === at ? change(row) : [row])) }
}

const isAny = () => true

type Run = State["runs"][number]

/** A state in which each run leaves another presence to the next one. */
const leaving = (becomes: (presence: Run["presence"]) => Run["presence"]): State => ({
  ...world.first.state,
  runs: world.first.state.runs.map((run) => ({ ...run, presence: becomes(run.presence) }))
})

/** The state and the witnesses of the world, with a change. */
type Doctoring = () => { readonly state?: State; readonly witnesses?: Partial<Witnesses> }

const later = (moment: Date | null, millis: number) => new Date((moment?.getTime() ?? 0) + millis)

/** The witnesses in which the first wish that `isSo` selects has one more response. */
const toldMore = (isSo: (wish: Wish) => boolean, told: Partial<Told>, change: Partial<Wish> = {}) => {
  const { wishes } = world.first.witnesses
  const wish = wishes.find(isSo)
  assert.isDefined(wish)
  const more = {
    status: 200,
    body: "",
    cost: undefined,
    balance: undefined,
    isReplay: false,
    begun: epoch,
    at: epoch + 20_000,
    ...told
  }
  return { wishes: [...wishes.filter((one) => one !== wish), { ...wish, ...change, told: [...wish.told, more] }] }
}

const isBefore = (one: Date | null, other: Date | null) => one !== null && other !== null && one < other

const callAt = (begun: number, at: number, status = 200) => ({ begun, at, status })

const isCheck = ({ kind }: Wish) => kind === "check"

const isPaidCheck = ({ charge, kind }: State["records"][number]) =>
  kind === "check" && world.first.state.charges.some(({ amount, id }) => id === charge && (amount ?? 0n) > 0n)

/** Witnesses of a world without internal faults. */
const unsound = { house: "sound" } as const

const doctorings: Readonly<Record<string, Doctoring>> = {
  balances: () => ({ state: doctored("wallets", isAny, (row) => [{ ...row, available: row.available + 1n }]) }),
  chain: () => ({ state: doctored("entries", isAny, (row) => [{ ...row, memo: "another" }]) }),
  proration: () => ({
    state: doctored(
      "charges",
      ({ outcomes, platforms, state }) => state === "settled" && outcomes?.[platforms[0] ?? ""] === "ok",
      (row) => [{ ...row, outcomes: { ...row.outcomes, [row.platforms[0] ?? ""]: "another" } }]
    )
  }),
  onceEach: () => ({
    state: doctored(
      "records",
      ({ brand }) => world.first.witnesses.wishes.some(({ kind, n }) => kind === "check" && brand === `Brand ${n}`),
      (row) => [row, { ...row, id: "another" }]
    )
  }),
  failedFree: () => ({
    witnesses: {
      ...toldMore(
        (wish) =>
          isCheck(wish) &&
          world.first.state.records.some((record) => record.brand === brandOf(wish.n) && isPaidCheck(record)),
        { status: 500 },
        { key: undefined }
      ),
      failed: []
    }
  }),
  ownCharges: () => ({ state: doctored("records", isPaidCheck, () => []) }),
  topUps: () => ({
    state: doctored(
      "entries",
      ({ kind }) => kind === "topup",
      (row) => [row, row]
    )
  }),
  recorded: () => ({ state: doctored("actions", isAny, () => []) }),
  holdsLast: () => ({ witnesses: toldMore(isAny, { status: 503 }, { key: undefined }) }),
  runsOfWatches: () => ({
    state: doctored("watches", isAny, (row) => [{ ...row, next: later(row.next, 50 * 3_600_000) }])
  }),
  deliveriesOnce: () => ({ state: doctored("deliveries", isAny, (row) => [{ ...row, attempts: row.attempts + 1 }]) }),
  tenAtATime: () => ({
    state: doctored("attempts", isAny, (row) =>
      Array.from({ length: 11 }, (_, at) => ({ ...row, number: at + 1, duration: 5_000 }))
    )
  }),
  nothingLost: () => ({
    state: doctored("attempts", isAny, (row) => [{ ...row, error: "unknown" }]),
    witnesses: { ...unsound, nights: [] }
  }),
  nothingSwept: () => ({
    state: doctored(
      "charges",
      ({ endpoint }) => endpoint === "check",
      (row) => [{ ...row, ended: later(row.begun, 151_000) }]
    ),
    witnesses: unsound
  }),
  caughtUpOnce: () => {
    const slot = world.first.state.runs[0]?.slot.getTime() ?? 0
    return { witnesses: { nights: [[slot - 1, slot + 3_600_000]] } }
  },
  givenUp: () => ({ state: doctored("runs", isAny, (row) => [{ ...row, tries: 8 }]) }),
  "givenUp of a run": () => ({ state: doctored("runs", isAny, (row) => [{ ...row, tries: 5, status: "failed" }]) }),
  "givenUp of an ask": () => ({
    state: doctored("records", isAny, (row) => [{ ...row, tries: 6, status: "failed" }]),
    witnesses: { losses: [], failed: [] }
  }),
  "givenUp of what was lost by poison beside it alone": () => ({
    state: doctored("records", isAny, (row) => [{ ...row, tries: 6, status: "failed" }]),
    witnesses: { losses: Array.from({ length: 9 }, () => ({ from: 0, to: Infinity, isPoison: true })), failed: [] }
  }),
  "givenUp of what was lost too rarely": () => ({
    state: doctored("runs", isAny, (row) => [{ ...row, tries: 6, status: "failed" }]),
    witnesses: {
      losses: Array.from({ length: 4 }, () => ({ from: 0, to: Infinity, isPoison: false })),
      failed: [],
      refusals: []
    }
  }),
  "givenUp of what was tried again where all were asked to leave": () => ({
    state: doctored("runs", isAny, (row) => [{ ...row, tries: 2 }]),
    witnesses: { house: "leaving", refusals: [] }
  }),
  answersTrue: () => ({
    state: doctored("records", isPaidCheck, (row) => [
      { ...row, sightings: row.sightings.map((sighting) => ({ ...sighting, page: sighting.page + 1 })) }
    ])
  }),
  failuresTrue: () => ({
    state: doctored(
      "charges",
      ({ state }) => state === "settled",
      (row) => [{ ...row, outcomes: { ...row.outcomes, [row.platforms[0] ?? ""]: "provider_error" } }]
    ),
    witnesses: { said: world.first.witnesses.said.map((one) => ({ ...one, isFailure: false })) }
  }),
  freshOnce: () => ({
    state: doctored(
      "records",
      ({ charge }) => world.first.state.runs.some((run) => run.charge === charge && run.sightings.length > 0),
      (row) => [row, { ...row, id: "another" }]
    )
  }),
  ownWallets: () => ({
    state: doctored(
      "charges",
      ({ state }) => state === "settled",
      (row) => [{ ...row, wallet: "another" }]
    )
  }),
  balancesTold: () => ({
    witnesses: toldMore(isAny, { status: 402, body: JSON.stringify({ balance_cents: 9, required_cents: 9 }) })
  }),
  "balancesTold of a hold": () => {
    const since = world.first.state.charges[0]?.begun.getTime() ?? 0
    const refusal = { status: 402, body: JSON.stringify({ balance_cents: 8, required_cents: 9 }) }
    return {
      state: doctored("charges", isAny, (row) => [{ ...row, claim: "own", ended: null }]),
      witnesses: toldMore(isAny, { ...refusal, begun: since + 1, at: since + 2 }, { claims: ["own"] })
    }
  },
  skippedRightly: () => {
    const rich = world.first.state.entries.find(({ available }) => available >= 150_000n)
    const moment = later(new Date(rich?.stamp ?? ""), 1)
    const own = world.first.state.watches.find(({ wallet }) => wallet === rich?.wallet)?.id ?? ""
    const change = { status: "skipped_insufficient_balance", watch: own, started: moment, finished: moment }
    return { state: doctored("runs", isAny, (row) => [{ ...row, ...change }]) }
  },
  runsTrue: () => ({
    state: doctored(
      "runs",
      ({ status }) => status === "completed",
      (row) => [{ ...row, triggers: ["another"] }]
    )
  }),
  "runsTrue of what the latest leaves": () => ({ state: leaving(() => null) }),
  "runsTrue of what is forgotten": () => ({ state: leaving((presence) => presence && {}) }),
  "runsTrue of what could not be told": () => {
    // All earlier runs since the first one that fired. The selected run must have only runs that fired among them: before the first of
    // these no answer named the brand, and one that did not fire would be what the next is compared with.
    const sinceNews = (run: Run) => {
      const earlier = world.first.state.runs
        .filter(({ watch, finished }) => watch === run.watch && isBefore(finished, run.finished))
        .toSorted((one, other) => (isBefore(one.finished, other.finished) ? -1 : 1))
      return earlier.slice(earlier.findIndex(({ triggers }) => triggers.length > 0))
    }
    const isAfterNews = (run: Run) => {
      const since = sinceNews(run)
      return since.length > 0 && since.every(({ triggers }) => triggers.length > 0)
    }
    const fired = world.first.state.runs.find((run) => run.triggers.includes("mention_removed") && isAfterNews(run))
    assert.isDefined(fired, "the world has such a run")
    const failed = sinceNews(fired).map(({ id, watch }) => ({
      id,
      cause: id,
      receiver: watch,
      status: "failed",
      attempts: 0
    }))
    return { state: { ...world.first.state, deliveries: [...world.first.state.deliveries, ...failed] } }
  },
  runsKept: () => ({ witnesses: toldMore(({ kind }) => kind === "run", { status: 202, body: "another" }) }),
  deliveriesTrue: () => ({
    witnesses: {
      received: world.first.witnesses.received.map((one) => ({ ...one, status: 200, body: `${one.body} ` }))
    }
  }),
  "deliveriesTrue of an end": () => ({
    state: doctored("attempts", isAny, (row) => [{ ...row, duration: null, error: null }])
  }),
  "sound: begunOnce": () => ({
    state: doctored("runs", isAny, (row) => [{ ...row, attempts: 2 }]),
    witnesses: unsound
  }),
  "sound: retriesInTime": () => ({
    state: doctored(
      "attempts",
      ({ number }) => number === 1,
      (row) => [row, { ...row, number: 2, begun: later(row.begun, 60_000) }]
    ),
    witnesses: unsound
  }),
  "sound: askedOnce": () => {
    const said = world.first.witnesses.said.map((one) => ({
      ...one,
      question: { ...one.question, turns: [{ role: "user", content: "another" }] as const }
    }))
    return { witnesses: { ...unsound, said: [...said, ...said] } }
  },
  "sound: limitsKept": () => ({
    witnesses: { ...unsound, ...toldMore(isCheck, {}, { calls: [1, 2, 3, 4, 5, 6, 7, 8].map((at) => callAt(at, at)) }) }
  }),
  "sound: limitsRight": () => ({
    witnesses: { ...unsound, ...toldMore(isCheck, {}, { calls: [callAt(1, 2, 429)] }) }
  }),
  "sound: repeatedAtOnce": () => ({
    witnesses: { ...unsound, ...toldMore(isCheck, {}, { calls: [callAt(1, 2), callAt(1, 60_000)] }) }
  }),
  "sound: failuresOwned": () => ({
    state: doctored(
      "charges",
      ({ state }) => state === "settled",
      (row) => [{ ...row, outcomes: { ...row.outcomes, [row.platforms[0] ?? ""]: "provider_unavailable" } }]
    ),
    witnesses: unsound
  }),
  "sound: noErrors": () => ({ witnesses: { ...unsound, complaints: ["a machine: something died"] } })
}

describe("a law", () => {
  it.each(Object.entries(doctorings))("%s sees a state that breaks it", (name, doctor) => {
    const [law = ""] = name.split(" of ")
    const { state = world.first.state, witnesses } = doctor()
    const seen = { ...world.first.witnesses, ...witnesses }
    const broken = [...brokenBy(state, seen), ...brokenBy(state, seen, finallyTrue)]
    assert.include(broken.join("\n"), `${law}: `)
  })

  it("of each name has a state that breaks it", () => {
    const shown = new Set(Object.keys(doctorings).map((name) => name.split(/:| of /)[0]))
    assert.sameMembers([...shown], [...Object.keys(always), ...Object.keys(finallyTrue)])
  })

  it("of the end detects an unfinished hold, ask, run, delivery, slot and caller", () => {
    const held = doctored("charges", isAny, (row) => [{ ...row, state: "held" }])
    assert.isNotEmpty(quiet(held, world.first.witnesses))
    const pending = doctored("deliveries", isAny, (row) => [{ ...row, status: "pending" }])
    assert.isNotEmpty(quiet(pending, world.first.witnesses))
    const waiting = doctored("records", isAny, (row) => [{ ...row, isDone: false }])
    assert.isNotEmpty(quiet(waiting, world.first.witnesses))
    assert.isNotEmpty(quiet(world.first.state, { ...world.first.witnesses, now: Infinity }))
    const wishes = world.first.witnesses.wishes.map((wish) => ({ ...wish, state: "open" as const }))
    assert.isNotEmpty(quiet(world.first.state, { ...world.first.witnesses, wishes }))
  })
})
