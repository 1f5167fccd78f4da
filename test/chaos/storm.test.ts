/**
 * A storm: the service as separate processes on a Postgres and a NATS of its own, customers who do not stop, and faults that do
 * not ask. Afterwards the laws of `laws.ts` are held against what everybody saw.
 *
 * `CHAOS_KILLS` is how many processes are killed, `CHAOS_SEED` what the dice are thrown with; the order in which processes get
 * to their work is their own, so that a seed repeats the storm and not every gust of it.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dice } from "@sightline/sandbox/Dice"
import { installation, operator } from "../http/program.ts"
import { receiving } from "../http/watching.ts"
import { makeCustomers, newCustomer } from "./customers.ts"
import { type Fleet, startFleet } from "./fleet.ts"
import { gathering } from "./gathering.ts"
import type { Evidence } from "./history.ts"
import { laws } from "./laws.ts"
import { startReceiver } from "./receiver.ts"

const kills = Number(process.env["CHAOS_KILLS"] ?? 20)
const seed = process.env["CHAOS_SEED"] ?? String(Date.now() % 1_000_000)

/** What is accepted when the last fault is over has to be finished by then. */
const calmMillis = 120_000

/** A hold that nobody ends is given back after 150 seconds, and the sweeper passes every 5. */
const holdMillis = 180_000

const customersCount = 3

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

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
  // Longer than the 30 s of a lease: who wakes up finds that others did its work.
  return fleet.freeze(dies, fault === "api stands still" ? "api" : "worker", 33_000 + dies.below(4000))
}

let fleet: Fleet | undefined
let receiver: Awaited<ReturnType<typeof startReceiver>>
let evidence: Evidence

const storm = async (): Promise<Evidence> => {
  const begun = Date.now()
  const say = (what: string) =>
    process.stdout.write(`storm ${seed}: ${Math.round((Date.now() - begun) / 1000)} s, ${what}\n`)
  say(`${kills} kills; CHAOS_KILLS=${kills} CHAOS_SEED=${seed} npm run chaos -- storm repeats it`)
  const env = { ...(await installation()), ...receiving }
  const running = (fleet = await startFleet(env))
  const [first] = running.programs()
  assert.isDefined(first)
  const customers = await Promise.all(
    Array.from({ length: customersCount }, () => newCustomer(first, env.ADMIN_TOKEN, receiver.url))
  )
  const { history, repeat, stop, work } = makeCustomers(running.apis, seed)
  const working = customers.map(work)

  say("the fleet is up")
  const dies = dice(seed, "faults")
  for (const fault of plan()) {
    await pause(500 + dies.below(2500))
    await running.manned()
    await strike(running, fault, dies)
  }
  await running.heal()
  const healed = Date.now()
  say(`healed, after ${history.length} calls`)

  stop(healed + calmMillis)
  await Promise.all(working)
  const [base = ""] = running.apis()
  const views = customers.map((customer) => gathering(base, customer))
  const all = async (holds: (view: (typeof views)[number]) => Promise<boolean>) =>
    (await Promise.all(views.map(holds))).every(Boolean)
  await until(healed + calmMillis, () => all((view) => view.isCalm(history)))
  say("everything is finished")
  await repeat()
  await until(healed + holdMillis, () => all(async (view) => (await view.held()) === 0))
  say("no hold is left")

  const books = await Promise.all(views.map((view) => view.books(history)))
  const [last] = running.programs()
  assert.isDefined(last)
  const audit = await operator(last, env.ADMIN_TOKEN).audit()
  const processes = await running.stop()
  say("over")
  const secrets = [env.SECRET_KEY, env.ADMIN_TOKEN, ...customers.flatMap((customer) => customer.secrets)]
  return { history, received: receiver.received, books, audit, processes, secrets }
}

beforeAll(
  async () => {
    receiver = await startReceiver(dice(seed, "receiver"))
    evidence = await storm()
    await mkdir("build/chaos", { recursive: true })
    await writeFile("build/chaos/storm.json", JSON.stringify(evidence, null, 1))
  },
  600_000 + kills * 20_000
)
afterAll(async () => {
  await fleet?.stop()
  receiver.stop()
})

describe(`a storm of ${kills} kills`, () => {
  it.for(Object.entries(laws))("%s", ([, law]) => {
    assert.deepEqual(law(evidence), [])
  })
})
