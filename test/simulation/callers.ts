import { DateTime } from "effect"
import { LlmPlatform } from "@sightline/domain/Platform"
import { Trigger } from "@sightline/domain/Watch"
import { nextRunAt } from "../store/slots.ts"
import type { Fleet, Ready } from "./fleet.ts"
import { answered, type Customer, poison, request, type Told, topUpCredits, type Wish } from "./requests.ts"
import type { World } from "./world.ts"

const kinds = ["check", "check", "check", "check", "ask", "job", "job", "topup", "run", "run", "run"] as const

/** What a customer wants several of at once, and how many at most: more deliveries than a receiver is sent at a time. */
const rushes = [
  ["check", 8],
  ["check", 8],
  ["run", 8],
  ["run", 8],
  ["job", 16]
] as const

/** How long whoever wants several things on end waits for each. */
const pauseMillis = 10_000

const regions = ["us", "us", "us", "uk"] as const

/** How often a question is poison. */
const poisonous: Readonly<Partial<Record<Wish["kind"], number>>> = { job: 0.06, watch: 0.01 }

/** Watches ask some of the questions that checks and asks put, and they put others beside. */
const questionsOf = (kind: Wish["kind"]) => (kind === "watch" ? 3 : 6)

/** Keys are forgotten after a day; before it is over their owners give up. */
const givesUpMillis = 20 * 3_600_000

/** How near the slot of a watch is that is run by hand before it. */
const nearMillis = 120_000

/** What callers do when they are not told what came of it. */
const canRepeat = ({ key }: Wish): boolean => key !== undefined

/**
 * The customers of one world. They come now and then, hang up, lose answers, come again with the same key until they know, and
 * sometimes once more when they know already.
 */
export class Callers {
  readonly wishes: Array<Wish> = []
  readonly #world: World
  readonly #fleet: Fleet
  readonly #customers: ReadonlyArray<Customer>
  /** Wishes that will come. */
  #awaited = 0

  constructor(world: World, fleet: Fleet, customers: ReadonlyArray<Customer>) {
    this.#world = world
    this.#fleet = fleet
    this.#customers = customers
  }

  /** Everybody brings some watches, and some money, some more and some less. */
  bring(): void {
    for (const customer of this.#customers) {
      for (let n = this.#world.between(0, 12); n > 0; n--) this.#wish("topup", customer)
      for (let n = this.#world.between(0, 8); n > 0; n--) this.#wish("watch", customer)
    }
  }

  /** So many wishes come after and over so many milliseconds, now and then several of one customer at once or on end. */
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

  /** After so many milliseconds whoever watches anything brings money for it, and has all of it run. */
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
    // Impatient ones ask twice at once.
    if (canRepeat(wish) && world.dice() < 0.3) {
      wish.isAlone = false
      this.#again(wish, world.between(0, 3_000))
    }
    // The same key with another body: whichever comes second is refused.
    if (canRepeat(wish) && kind !== "topup" && world.dice() < 0.15) {
      wish.isAlone = false
      world.after(world.between(0, 20_000), null, () => this.#call(wish, " by mistake"))
    }
  }

  /** A wish of that kind, all else of it as the dice fall. */
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

  /** The watches that a customer knows of. */
  #watchesOf(customer: Customer): ReadonlyArray<string> {
    const own = this.wishes.filter((other) => other.customer === customer && other.kind === "watch")
    return own.flatMap(({ told }) => told.flatMap(({ body, status }) => (status === 201 ? body : [])))
  }

  /** One of them; mostly its first, so that runs follow on each other. */
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
        // What it asked for may go on for long, beside what it asks for next.
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

  /** A watch whose slot is near is run by hand right before it. */
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
    // A refusal gives the key back: who asks again may be let in, and not hear of it.
    wish.isAlone = false
    this.#again(wish, this.#world.between(0, 60_000))
  }
}
