import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AccountId } from "@sightline/domain/Account"
import { KeyId } from "@sightline/domain/ApiKey"
import { WebhookId } from "@sightline/domain/Webhook"
import { Auditor } from "@sightline/engine/Auditor"
import { AuditRecords } from "@sightline/store/AuditRecords"
import * as Sealed from "@sightline/store/Sealed"
import { Callers } from "./callers.ts"
import { seedUuids, uuidOf } from "./seededUuids.ts"
import { type Database, openDatabase } from "./database.ts"
import { Fleet } from "./fleet.ts"
import { brokenBy, finallyTrue, quiet } from "./laws.ts"
import type { Witnesses } from "./moneyLaws.ts"
import { Nerve } from "./nerve.ts"
import { type Customer, webhookSecret } from "./requests.ts"
import { key } from "./service.ts"
import { readState, type State, strayMoments } from "./state.ts"
import type { Received, RecordedAnswer } from "./externals.ts"
import { epoch, World } from "./world.ts"

/** The outcome of one seed. */
export interface Outcome {
  readonly seed: number
  readonly hash: string
  readonly steps: number
  /** The breaches of laws; empty if all is well. */
  readonly broken: ReadonlyArray<string>
  readonly trace: ReadonlyArray<string>
  /** The final state, for inspection. */
  readonly state: State
  readonly witnesses: Witnesses
}

const wishes = 40

/** Faults happen for this long; then everything must end within the patience. */
const troubleMillis = 150_000
const patienceMillis = 15 * 60_000

/** The longest time from a delivery's first attempt until it is given up, if it is always refused. */
const lastTryMillis = 400_000

/** The number of steps between two checks of the laws. */
const lookSteps = 250

const secretOf = (id: string) =>
  Sealed.seal(key, { table: "webhook_endpoints", id, column: "secret" }, Redacted.make(webhookSecret))

/** Customers with an endpoint for asks and no money yet; two of them are one account. */
const settleIn = async (world: World, { beside }: Database): Promise<ReadonlyArray<Customer>> => {
  const [one, other] = [AccountId.make(uuidOf(world.ids)), AccountId.make(uuidOf(world.ids))]
  const wallets = [
    { accountId: one, environment: "live" },
    { accountId: other, environment: "test" },
    { accountId: one, environment: "test" }
  ] as const
  const made = wallets.map((wallet) => ({
    wallet,
    webhook: WebhookId.make(uuidOf(world.ids)),
    keyId: KeyId.make(uuidOf(world.ids))
  }))
  await beside(
    SqlClient.SqlClient.use((sql) =>
      Effect.forEach(made, ({ wallet: { accountId, environment }, webhook }) =>
        Effect.andThen(
          sql`INSERT INTO accounts (id, name, created_at) VALUES (${accountId}, 'a customer', ${new Date(epoch)})
            ON CONFLICT DO NOTHING`,
          sql`INSERT INTO webhook_endpoints (id, account_id, environment, url, events, enabled, secret, created_at, updated_at)
            VALUES (${webhook}, ${accountId}, ${environment}, 'https://hooks.example/ask', '{ask.completed}', true,
              ${secretOf(webhook)}, ${new Date(epoch)}, ${new Date(epoch)})`
        )
      )
    )
  )
  return made
}

const auditorFinds = Effect.gen(function* () {
  const { differences } = yield* (yield* Auditor).audit
  return differences.map((difference) => `auditor: ${JSON.stringify(difference)}`)
}).pipe(Effect.provide(Auditor.layer), Effect.provide(AuditRecords.layer))

const look = async ({ beside }: Database, witnesses: Witnesses): Promise<ReadonlyArray<string>> => [
  ...brokenBy(await beside(readState), witnesses),
  ...(await beside(auditorFinds))
]

/** Steps until everything has ended, a law is broken, or the patience is over. Returns the breaches. */
const live = async (world: World, database: Database, witnesses: Witnesses, fleet: Fleet, areDone: () => boolean) => {
  const unfinished = async () =>
    areDone() ? quiet(await database.beside(readState), witnesses) : ["callers still wait"]
  let isTimeToLook = false
  let healedAt = 0
  const reminder = () => {
    isTimeToLook = true
    world.after(5_000, null, reminder)
  }
  reminder()
  for (;;) {
    await world.step()
    if (world.transaction !== undefined) continue
    if (world.steps % lookSteps === 0) {
      const broken = await look(database, witnesses)
      if (broken.length > 0) return broken
    }
    if (world.now < epoch + troubleMillis || fleet.darkMillis > 0) continue
    world.isFaulty = false
    // A machine that was stalled must wake up and find what others have done.
    if (world.now < world.sleepsUntil) continue
    if (healedAt === 0) {
      healedAt = world.now
      if (world.house === "shaky") fleet.shrink()
    }
    if (!isTimeToLook) continue
    isTimeToLook = false
    const left = await unfinished()
    if (left.length === 0)
      return [
        ...(await look(database, witnesses)),
        ...brokenBy(await database.beside(readState), witnesses, finallyTrue),
        ...(await database.beside(strayMoments(epoch, world.now + 8 * 86_400_000)))
      ]
    if (world.now > healedAt + patienceMillis) return left.map((what) => `quiet: ${what}`)
  }
}

/** How long all machines are down: minutes or hours, sometimes more than a day. */
const nightMillis = (world: World): number =>
  (world.dice() < 0.35 ? world.between(1_445, 1_500) : world.between(1, 180)) * 60_000

/**
 * Makes the wishes, and in half of the worlds kills all machines for a long time. Without internal faults that happens before any wish
 * but the watches, whose runs then have to be caught up.
 */
const pass = (world: World, fleet: Fleet, callers: Callers): void => {
  callers.bring()
  const isSound = world.house === "sound"
  const length = (world.house === "shaky" || isSound) && world.dice() < 0.5 ? nightMillis(world) : 0
  const begins = isSound ? 6_000 : world.between(20_000, troubleMillis)
  const rush = world.pick([5_000, 30_000, 90_000]) ?? 0
  if (length > 0) world.after(begins, null, () => fleet.blackout(length))
  callers.come(wishes, length > 0 && isSound ? begins + length : 0, rush)
  if (length > 0) callers.come(8, begins + length, 20_000)
  if (world.isRefused) callers.runAll(troubleMillis + lastTryMillis)
}

/** Runs one world from beginning to end. */
export const simulate = async (template: string, seed: number): Promise<Outcome> => {
  const world = new World(seed)
  const database = await openDatabase(template, seed)
  const giveBack = seedUuids(world.ids)
  try {
    const received: Array<Received> = []
    const said: Array<RecordedAnswer> = []
    const fleet = new Fleet(
      { world, database, nerve: new Nerve(world), received: (request) => void received.push(request), said },
      world.knobs.machines
    )
    const callers = new Callers(world, fleet, await settleIn(world, database))
    pass(world, fleet, callers)
    const { house, knobs } = world
    const witnesses: Witnesses = {
      wishes: callers.wishes,
      received,
      said,
      complaints: world.complaints,
      failed: world.failed,
      losses: world.losses,
      refusals: world.refusals,
      nights: fleet.nights,
      house,
      knobs,
      get now() {
        return world.now
      }
    }
    const broken = await live(world, database, witnesses, fleet, () => callers.areDone)
    return {
      seed,
      hash: world.hash,
      steps: world.steps,
      broken,
      trace: world.trace,
      state: await database.beside(readState),
      witnesses
    }
  } finally {
    giveBack()
    await database.close()
  }
}
