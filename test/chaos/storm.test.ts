/**
 * A storm: the service as separate processes with a Postgres and a NATS server of their own, customers that never stop, and random
 * faults. Afterwards the laws of `laws.ts` are checked against what callers and receivers saw.
 *
 * `CHAOS_KILLS` is how many processes are killed, `CHAOS_SEED` is the random seed. The scheduling of the processes is not part of the
 * seed, so a seed repeats the faults but not every interleaving.
 *
 * Planted and seen red: no sweeper; an attempt's lease of one second; an attempt without an end forgotten; a fourth attempt; a
 * revoked key that only its own process forgets.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dice } from "@sightline/sandbox/Dice"
import { customer, installation, operator } from "../http/program.ts"
import { receiving } from "../http/watching.ts"
import { type Customer, makeCustomers, newCustomer } from "./customers.ts"
import { type Fleet, makeFleet, pause } from "./fleet.ts"
import { gathering } from "./gathering.ts"
import type { Evidence } from "./history.ts"
import { laws } from "./laws.ts"
import { startReceiver } from "./receiver.ts"
import { makeRevocations } from "./revocations.ts"

const kills = Number(process.env["CHAOS_KILLS"] ?? 20)
const seed = process.env["CHAOS_SEED"] ?? String(Date.now() % 1_000_000)

/** The time limit for finishing accepted work after the last fault. */
const calmMillis = 120_000

/** A hold that is never ended is released after 150 seconds, and the sweeper runs every 5. */
const holdMillis = 180_000

const until = async (deadline: number, holds: () => Promise<boolean>): Promise<void> => {
  while (Date.now() < deadline && !(await holds())) await pause(500)
}

type Fault = "kill" | "drain" | "worker stands still" | "api stands still" | "scheduler stands still" | "nats"

/** The faults in their order. Those that last longer than any lease come early, so that others happen meanwhile. */
const plan = (): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  for (let left = kills; left > 0; left -= 20) {
    const many = Array.from({ length: Math.min(20, left) }, (): Fault => "kill")
    const rest = dice(seed, "plan", left).shuffle<Fault>([...many, "drain", "drain", "nats", "scheduler stands still"])
    faults.push(
      ...rest.slice(0, 3),
      "worker stands still",
      ...rest.slice(3, 5),
      "api stands still",
      ...rest.slice(5),
      "nats"
    )
  }
  return faults
}

const strike = async (fleet: Fleet, fault: Fault, dies: ReturnType<typeof dice>) => {
  if (fault === "kill") return fleet.kill(dies)
  if (fault === "drain") return fleet.drain(dies)
  if (fault === "nats") return fleet.loseNats(dies.below(4000), dies.chance(0.5))
  if (fault === "scheduler stands still") return fleet.freeze(dies, "scheduler", 1000 + dies.below(7000))
  // Longer than the 30 s of a lease: on waking, the process finds that others did its work.
  return fleet.freeze(dies, fault === "api stands still" ? "api" : "worker", 40_000 + dies.below(4000))
}

let env: Readonly<Record<string, string>> & Awaited<ReturnType<typeof installation>>
let fleet: Fleet
let receiver: Awaited<ReturnType<typeof startReceiver>>
let evidence: Evidence

const begun = Date.now()
const say = (what: string) =>
  process.stdout.write(`storm ${seed}: ${Math.round((Date.now() - begun) / 1000)} s, ${what}\n`)

const operating = () => {
  const [program] = fleet.programs()
  assert.isDefined(program)
  return program
}

/** The faults, one after another, each with a revoked key, until everything runs again. */
const rage = async ({ turn }: ReturnType<typeof makeRevocations>) => {
  const dies = dice(seed, "faults")
  const turns: Array<Promise<void>> = []
  for (const fault of plan()) {
    await pause(500 + dies.below(2500))
    await fleet.manned()
    await strike(fleet, fault, dies)
    turns.push(turn())
  }
  await fleet.heal()
  await Promise.all(turns)
}

/** Runs the customers during the faults, and collects the evidence once all is calm. */
const storm = async (customers: ReadonlyArray<Customer>): Promise<Omit<Evidence, "processes">> => {
  const { account } = await customer(operating(), env.ADMIN_TOKEN, 0)
  const revocations = makeRevocations(fleet, env.ADMIN_TOKEN, account)
  const { history, repeat, stop, work } = makeCustomers(fleet.apis, seed)
  const working = Promise.all(customers.map(work))
  await rage(revocations).catch((error: unknown) => {
    stop(0)
    throw error
  })
  const healed = Date.now()
  say(`healed, after ${history.length} calls`)

  stop(healed + calmMillis)
  await working
  const [base = ""] = fleet.apis()
  const views = customers.map((customer) => gathering(base, customer))
  const all = async (holds: (view: (typeof views)[number]) => Promise<boolean>) =>
    (await Promise.all(views.map(holds))).every(Boolean)
  await until(healed + calmMillis, () => all((view) => view.isCalm(history)))
  say("waited for what was accepted")
  await repeat(Date.now() + calmMillis)
  await until(healed + holdMillis, () => all(async (view) => (await view.held()) === 0))
  say("waited for what was held")

  await until(healed + holdMillis, async () => (await revocations.letIn()).length === 0)
  const letIn = await revocations.letIn()
  say(`waited for ${revocations.revoked.length} keys to be gone`)

  const books = await Promise.all(views.map((view) => view.books(history)))
  const audit = await operator(operating(), env.ADMIN_TOKEN).audit()
  const keys = [...customers.flatMap((customer) => customer.secrets), ...revocations.revoked]
  const secrets = [env.SECRET_KEY, env.ADMIN_TOKEN, ...keys]
  return { history, received: receiver.received, letIn, books, audit, secrets }
}

beforeAll(
  async () => {
    say(`${kills} kills; CHAOS_KILLS=${kills} CHAOS_SEED=${seed} npm run chaos -- -t storm repeats it`)
    receiver = await startReceiver(dice(seed, "receiver"))
    env = { ...(await installation()), ...receiving }
    fleet = await makeFleet(env)
    await fleet.launch()
    const customers = await Promise.all(
      Array.from({ length: 3 }, () => newCustomer(operating(), env.ADMIN_TOKEN, receiver.url))
    )
    say("the fleet is up")
    const found = await storm(customers)
    const processes = await fleet.stop()
    evidence = { ...found, processes }
    await mkdir("build/chaos", { recursive: true })
    await writeFile("build/chaos/storm.json", JSON.stringify(evidence, null, 1))
    say("over")
  },
  600_000 + kills * 20_000
)
afterAll(async () => {
  await fleet.stop()
  receiver.stop()
})

describe(`a storm of ${kills} kills`, () => {
  it("has processes that died, lost and repeated answers, failing engines, voided charges and retried deliveries", () => {
    const { books, history, processes } = evidence
    assert.isAtLeast(processes.filter(({ ended }) => ended === "killed").length, kills)
    assert.isTrue(history.some(({ outcome }) => outcome === "unknown"))
    assert.isTrue(history.some(({ outcome }) => outcome !== "unknown" && outcome.isReplay))
    const all = <A>(list: (one: (typeof books)[number]) => ReadonlyArray<A>) => books.flatMap(list)
    assert.isTrue(all(({ checks }) => checks).some(({ failures, platforms }) => failures.length * platforms.length > 0))
    const completed = all(({ runs }) => runs).filter(({ status }) => status === "completed")
    assert.isAbove(completed.length, new Set(completed.map(({ watch_id }) => watch_id)).size)
    assert.isTrue(all(({ asks }) => asks).some(({ status }) => status === "completed"))
    assert.isTrue(all(({ charges }) => charges).some(({ state }) => state === "voided"))
    assert.isTrue(all(({ deliveries }) => deliveries).some(({ attempts }) => attempts.length > 1))
  })

  it.for(Object.entries(laws))("%s", ([, law]) => {
    assert.deepEqual(law(evidence), [])
  })
})
