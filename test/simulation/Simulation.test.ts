/**
 * Whole worlds of one seed each: the real engine on the real SQL, with order, faults and time drawn from the seed.
 *
 * Here are few; `npm run simulate -- --seeds N` runs as many as one likes. Each law is shown to see a state that breaks it.
 *
 * Planted in the product and seen red among a few seeds: a settlement without its state guard, a hold without the check of the
 * balance, a sweeper that voids holds too early or never, jobs that nobody announces again, a reply stored by a second statement,
 * a top-up that ignores its reference, a memo left out of the hash, a group commit that answers the wrong caller, an attempt begun
 * while one is under way, a fourth attempt, a sender that tries again at once.
 */
import { Exit } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dropTemplate, makeTemplate, openDatabase } from "./database.ts"
import { always, brokenBy, quiet } from "./laws.ts"
import { type Outcome, simulate } from "./simulation.ts"
import { type State, strayMoments } from "./state.ts"
import { epoch } from "./world.ts"

let template = ""
let first: Outcome

beforeAll(async () => {
  template = await makeTemplate()
  first = await simulate(template, 1)
}, 120_000)

afterAll(() => dropTemplate(template))

describe("a world", () => {
  it("breaks no law, and leaves nothing undone", () => {
    assert.deepStrictEqual(first.broken, [])
    assert.isAbove(first.steps, 1_000)
  })

  it("has a trace that follows from its seed", { timeout: 120_000 }, async () => {
    const again = await simulate(template, 1)
    assert.strictEqual(again.hash, first.hash)
    const other = await simulate(template, 2)
    assert.deepStrictEqual(other.broken, [])
    assert.notStrictEqual(other.hash, first.hash)
  })
})

it("statements and defaults read the world's clock, and a moment of another one is seen", async () => {
  const database = await openDatabase(template, 3)
  const account = (id: number) =>
    `INSERT INTO accounts (id, name) VALUES (lpad('${id}', 32, '0')::uuid, 'somebody') RETURNING created_at`
  const strays = () => database.beside(strayMoments(epoch, epoch + 1_000))
  const made = await database.run(account(1), [], epoch + 500)
  assert.deepStrictEqual(made, Exit.succeed([{ created_at: new Date(epoch + 500) }]))
  assert.deepStrictEqual(await strays(), [])
  await database.run(account(2), [], Date.now())
  assert.deepStrictEqual(await strays(), ["clock: accounts.created_at was not read from the simulated clock"])
  await database.close()
})

/** A state with the first row of a table changed that is so. */
const doctored = <Table extends keyof State>(
  table: Table,
  isSo: (row: State[Table][number]) => boolean,
  change: (row: State[Table][number]) => ReadonlyArray<State[Table][number]>
): State => {
  const rows: ReadonlyArray<State[Table][number]> = first.state[table]
  const at = rows.findIndex(isSo)
  assert.isAtLeast(at, 0, `the world has such a row of ${table}`)
  return { ...first.state, [table]: rows.flatMap((row, place) => (place === at ? change(row) : [row])) }
}

const isAny = () => true

const doctorings: Readonly<Record<keyof typeof always, () => State>> = {
  balances: () => doctored("wallets", isAny, (row) => [{ ...row, available: row.available + 1n }]),
  chain: () => doctored("entries", isAny, (row) => [{ ...row, memo: "another" }]),
  proration: () =>
    doctored(
      "charges",
      ({ state }) => state === "settled",
      (row) => [{ ...row, outcomes: { ...row.outcomes, [row.platforms[0] ?? ""]: "another" } }]
    ),
  onceEach: () =>
    doctored(
      "records",
      ({ brand }) => first.witnesses.wishes.some(({ kind, n }) => kind === "check" && brand === `Brand ${n}`),
      (row) => [row, { ...row, id: "another" }]
    ),
  ownCharges: () =>
    doctored(
      "records",
      ({ charge }) => first.state.charges.some(({ id, state }) => id === charge && state === "settled"),
      () => []
    ),
  topUps: () =>
    doctored(
      "entries",
      ({ kind }) => kind === "topup",
      (row) => [row, row]
    ),
  holdsLast: () => first.state,
  runsOfWatches: () =>
    doctored("watches", isAny, (row) => [{ ...row, next: new Date(row.next.getTime() + 50 * 3_600_000) }]),
  deliveriesOnce: () => doctored("deliveries", isAny, (row) => [{ ...row, attempts: row.attempts + 1 }])
}

describe("a law", () => {
  it.each(Object.entries(doctorings))("%s sees a state that breaks it", (name, doctor) => {
    const { witnesses } = first
    const [wish] = witnesses.wishes
    const seen =
      name === "holdsLast" && wish !== undefined
        ? {
            ...witnesses,
            wishes: [
              {
                ...wish,
                key: undefined,
                told: [{ status: 503, body: "", cost: undefined, isReplay: false, millis: 20_000 }]
              }
            ]
          }
        : witnesses
    assert.include(brokenBy(doctor(), seen).join("\n"), `${name}: `)
  })

  it("of the end sees a hold, an ask, a run, a delivery and a caller that are not done", () => {
    const held = doctored("charges", isAny, (row) => [{ ...row, state: "held" }])
    assert.isNotEmpty(quiet(held, first.witnesses))
    const pending = doctored("deliveries", isAny, (row) => [{ ...row, status: "pending" }])
    assert.isNotEmpty(quiet(pending, first.witnesses))
    const waiting = doctored("records", isAny, (row) => [{ ...row, isDone: false }])
    assert.isNotEmpty(quiet(waiting, first.witnesses))
    const wishes = first.witnesses.wishes.map((wish) => ({ ...wish, state: "open" as const }))
    assert.isNotEmpty(quiet(first.state, { ...first.witnesses, wishes }))
  })
})
