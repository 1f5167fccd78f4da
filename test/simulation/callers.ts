import { DateTime } from "effect"
import { LlmPlatform } from "@sightline/domain/Platform"
import { Trigger } from "@sightline/domain/Watch"
import { nextRunAt } from "../store/slots.ts"
import type { Fleet, Ready } from "./fleet.ts"
import { answered, type Customer, poison, request, type Told, topUpCredits, type Wish } from "./requests.ts"
import type { World } from "./world.ts"

const kinds = ["check", "check", "check", "check", "ask", "job", "job", "topup", "run", "run", "run"] as const

/** The kinds of burst by one customer, with the largest size: more deliveries than a receiver is sent at a time. */
const rushes = [
  ["check", 8],
  ["check", 8],
  ["run", 8],
  ["run", 8],
  ["job", 16]
] as const

/** The pause between the calls of a burst that is not concurrent. */
const pauseMillis = 10_000

const regions = ["us", "us", "us", "uk"] as const

/** The probability that a question is poison. */
const poisonous: Readonly<Partial<Record<Wish["kind"], number>>> = { job: 0.06, watch: 0.01 }

/** The number of questions to choose from: watches share some with checks and asks, which have others too. */
const questionsOf = (kind: Wish["kind"]) => (kind === "watch" ? 3 : 6)

/** Keys are forgotten after a day; their owners give up before that. */
const givesUpMillis = 20 * 3_600_000

/** How close the next slot of a watch must be for a run by hand just before it. */
const nearMillis = 120_000

/** Whether a caller repeats a call without an answer. */
const canRepeat = ({ key }: Wish): boolean => key !== undefined

/**
 * The customers of one world. They call at random times, hang up, lose responses, repeat a call with the same key until it is answered,
 * and sometimes once more after that.
 */
export class Callers {
  readonly wishes: Array<Wish> = []
  readonly #world: World
  readonly #fleet: Fleet
  readonly #customers: ReadonlyArray<Customer>
  /** Wishes that are still to come. */
  #awaited = 0

  constructor(world: World, fleet: Fleet, customers: ReadonlyArray<Customer>) {
    this.#world = world
    this.#fleet = fleet
    this.#customers = customers
  }

  /** Gives every customer some watches, and more or less money. */
  bring(): void {
    for (const customer of this.#customers) {
      for (let n = this.#world.between(0, 12); n > 0; n--) this.#wish("topup", customer)
      for (let n = this.#world.between(0, 8); n > 0; n--) this.#wish("watch", customer)
    }
  }

  /** Makes `count` wishes over `millis` after `wait`, sometimes several of one customer concurrently or one after another. */
  come(count: number, wait: number, millis: number): void {
    const world = this.#world
    for (let left = count; left > 0;) {
      const [rush = "check", most = 8] = world.pick(rushes) ?? []
      const together = world.dice() < 0.15 ? Math.min(left, world.between(2, most)) : 1
      left -= together
      this.#awaited += together
      const [kind, customer] = [together > 1 ? rush : world.pick(kinds), world.pick(this.#customers)]
      const [begins, pause] = [wait + world.between(0, millis), world.pick([0, pauseMillis]) ?? 0]
      for (let n = 0; n < together; n++)
        world.after(begins + n * pause, null, () => {
          this.#awaited -= 1
          this.#wish(kind, customer)
        })
    }
  }

  /** After `wait` every customer with watches tops up for each of them and runs it. */
  runAll(wait: number): void {
    this.#awaited += 1
    this.#world.after(wait, null, () => {
      this.#awaited -= 1
      for (const customer of this.#customers)
        for (const watch of this.#watchesOf(customer)) {
          this.#wish("topup", customer)
          this.#wish("run", customer, watch)
        }
    })
  }

  get areDone(): boolean {
    return this.#awaited === 0 && this.wishes.every(({ state }) => state !== "open")
  }

  #wish(kind: Wish["kind"] | undefined, customer: Customer | undefined, own?: string): void {
    const world = this.#world
    if (kind === undefined || customer === undefined) return
    const watch = kind === "run" ? (own ?? this.#watchOf(customer)) : undefined
    if (kind === "run" && watch === undefined) return
    const wish = this.#drawn(kind, customer, watch)
    this.wishes.push(wish)
    this.#call(wish)
    // An impatient caller calls twice at the same time.
    if (canRepeat(wish) && world.dice() < 0.3) {
      wish.isAlone = false
      this.#again(wish, world.between(0, 3_000))
    }
    // The same key with another body: the later one is refused.
    if (canRepeat(wish) && kind !== "topup" && world.dice() < 0.15) {
      wish.isAlone = false
      world.after(world.between(0, 20_000), null, () => this.#call(wish, " by mistake"))
    }
  }

  /** A wish of that kind, random otherwise. */
  #drawn(kind: Wish["kind"], customer: Customer, watch: string | undefined): Wish {
    const world = this.#world
    const hasKey = kind === "topup" || (kind !== "watch" && kind !== "run" && world.dice() < 0.7)
    const before = this.wishes.filter((other) => other.customer === customer && other.kind === kind)
    const [one = "chatgpt_api", ...others] = LlmPlatform.literals.filter(() => kind === "watch" || world.dice() < 0.8)
    const isPoisonous = world.house === "shaky" && world.dice() < (poisonous[kind] ?? 0)
    return {
      n: this.wishes.length + 1,
      kind,
      customer,
      key: hasKey ? `key-${before.length + 1}` : undefined,
      question: isPoisonous ? poison : `question ${world.between(1, questionsOf(kind))}`,
      region: kind === "watch" ? "us" : (world.pick(regions) ?? "us"),
      isSearching: world.dice() < 0.8,
      credits: topUpCredits * (world.dice() < 0.15 ? 20 : 1),
      platforms: [one, ...others],
      triggerOn: Trigger.literals.filter(() => world.dice() < 0.6),
      sensitivity: world.dice() < 0.8 ? "every_change" : "evidence",
      watch,
      madeAt: world.now,
      told: [],
      calls: [],
      claims: [],
      isAlone: true,
      patience: 2_000,
      state: "open"
    }
  }

  /** The watches whose creation a customer was told of. */
  #watchesOf(customer: Customer): ReadonlyArray<string> {
    const own = this.wishes.filter((other) => other.customer === customer && other.kind === "watch")
    return own.flatMap(({ told }) => told.flatMap(({ body, status }) => (status === 201 ? body : [])))
  }

  /** A known watch of the customer; mostly the first, so that runs follow each other. */
  #watchOf(customer: Customer): string | undefined {
    const known = this.#watchesOf(customer)
    return this.#world.dice() < 0.7 ? known[0] : this.#world.pick(known)
  }

  #again(wish: Wish, millis: number): void {
    this.#world.after(millis, null, () => this.#call(wish))
  }

  #call(wish: Wish, twist = ""): void {
    const world = this.#world
    world.gate({
      name: `caller ${wish.n}`,
      owner: null,
      happen: () => {
        const ready = this.#fleet.pick()
        if (ready === undefined) return this.#unanswered(wish, twist)
        world.note(`caller ${wish.n} wants a ${wish.kind} of ${ready.machine.name}${twist}`)
        this.#ask(wish, twist, ready)
      }
    })
  }

  #ask(wish: Wish, twist: string, { machine, services }: Ready): void {
    const world = this.#world
    const begun = world.now
    let isWaiting = true
    const end = (then: () => void) => {
      if (!isWaiting) return
      isWaiting = false
      unwatch()
      stay()
      then()
    }
    const unwatch = machine.onDeath(() => end(() => this.#unanswered(wish, twist)))
    let hangUp = (): void => undefined
    const [least, most] = world.house === "drowsy" ? [5_000, 60_000] : [20_000, 100_000]
    const patience = world.strikes("callerLeaves") ? world.between(20, 8_000) : world.between(least, most)
    const stay = world.after(patience, null, () =>
      end(() => {
        world.note(`caller ${wish.n} hangs up`)
        // The abandoned call may go on for long, beside the next one.
        wish.isAlone = false
        machine.receive(() => hangUp())
        this.#unanswered(wish, twist)
      })
    )
    machine.receive(() => {
      const running = machine.run(request(wish, twist, services, world.ids), (exit) => {
        const told = answered(exit)
        const call = { begun, at: world.now, status: told.status }
        wish.calls.push(call)
        end(() => this.#answer(wish, twist, { ...told, ...call }))
      })
      hangUp = running.interrupt
    })
  }

  #answer(wish: Wish, twist: string, told: Told): void {
    const world = this.#world
    world.gate({
      name: `answer to ${wish.n}`,
      owner: null,
      happen: () => {
        const isLost = world.strikes("answerLost")
        world.note(
          `caller ${wish.n} is told ${told.status}${told.isReplay ? " again" : ""}${isLost ? ", unheard" : ""}`
        )
        if (isLost) this.#unanswered(wish, twist)
        else if (twist === "") this.#hear(wish, told)
        else wish.told.push({ ...told, isMistake: true })
      }
    })
  }

  /** If the slot of a watch is near, runs it by hand just before that. */
  #runBeforeSlot(customer: Customer, watch: string): void {
    const world = this.#world
    const slot = DateTime.toEpochMillis(nextRunAt(watch, "hourly", DateTime.makeUnsafe(world.now)))
    if (slot < world.now + nearMillis)
      world.after(slot - world.now - world.between(0, 3_000), null, () => this.#wish("run", customer, watch))
  }

  #unanswered(wish: Wish, twist: string): void {
    if (wish.state !== "open" || twist !== "") return
    wish.patience = Math.min(wish.patience * 1.5, 60_000)
    const { darkMillis } = this.#fleet
    const isOver = this.#world.now + darkMillis > wish.madeAt + givesUpMillis
    if (canRepeat(wish) && !isOver) this.#again(wish, darkMillis + this.#world.between(500, wish.patience))
    else wish.state = "given up"
  }

  #hear(wish: Wish, told: Told): void {
    wish.told.push(told)
    if (told.status >= 500 || told.status === 409 || told.status === 429) return this.#unanswered(wish, "")
    if (wish.state !== "open") return
    wish.state = told.status < 300 ? "done" : "refused"
    if (wish.kind === "watch") this.#runBeforeSlot(wish.customer, told.body)
    if (!canRepeat(wish) || this.#world.dice() >= 0.4) return
    // A refusal releases the key: a repeated call may succeed, and lose its response.
    wish.isAlone = false
    this.#again(wish, this.#world.between(0, 60_000))
  }
}
