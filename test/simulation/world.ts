import { createHash } from "node:crypto"
import { type Dice, makeDice } from "./dice.ts"

/** Something that waits for its turn: a statement, a message, a question, a caller's step. */
export interface Happening {
  readonly name: string
  /** The machine it dies with; null for the world outside of all processes. */
  readonly owner: Mortal | null
  /** The transaction of a statement, which has the database to itself. */
  readonly transaction?: object
  readonly isStatement?: boolean
  readonly happen: () => void | Promise<void>
}

/** Something that can die: its pending happenings then never take place. */
export interface Mortal {
  readonly name: string
  readonly isAlive: boolean
  /** When a stalled machine continues. */
  readonly standsUntil: number
  /** Runs its tasks until all of them wait. False if there was nothing to run. */
  readonly drain: () => boolean
}

/** A time in which a machine did not do its work, and whether it was poisoned. */
export interface Loss {
  readonly from: number
  readonly to: number
  readonly isPoison: boolean
}

interface Alarm {
  readonly at: number
  readonly owner: Mortal | null
  readonly ring: () => void
}

/** The internal faults of a world: any; none; only stalls; or only machines that are asked to stop. */
export type House = "shaky" | "sound" | "drowsy" | "leaving"

/** The rate of each kind of fault in this seed's world, from never to often. Broadcasts may be lost in every world: none may be needed. */
const ratesOf = (dice: Dice, house: House) => {
  const rate = (most: number) => most * ([0, 0.25, 1][Math.floor(dice() * 3)] ?? 0)
  const ours = (most: number) => (house === "shaky" ? rate(most) : 0)
  const sleeping = (most: number) => (house === "drowsy" ? most : ours(most))
  return {
    statementRefused: ours(0.03),
    statementUnknown: ours(0.03),
    statementSlow: ours(0.03),
    leaseOutlived: sleeping(0.4),
    deadlock: ours(0.02),
    crash: ours(0.006),
    standstill: sleeping(0.006),
    messageLost: ours(0.2),
    wordLost: rate(0.4),
    messageDoubled: rate(0.4),
    upstreamFails: rate(0.4),
    upstreamHangs: ours(0.1),
    upstreamSlow: rate(0.3),
    callerLeaves: rate(0.2),
    answerLost: rate(0.2),
    receiverFails: rate(0.5),
    receiverHangs: rate(0.2)
  }
}

/** The longest time of a happening in milliseconds. Without internal faults nothing is slow because of load. */
const slowest: Readonly<Record<House, number>> = { shaky: 20, sound: 6, drowsy: 20, leaving: 20 }

export type Fault = keyof ReturnType<typeof ratesOf>

/** When the clocks of all worlds start: a slot begins while faults happen. */
export const epoch = Date.parse("2031-03-04T05:03:30Z")

/**
 * Everything that a seed decides: what happens next, which faults occur, and the time.
 *
 * Laws: happenings take place one at a time, each when everything before it has settled. Time advances a little with each, and to
 * the next alarm if nothing is waiting.
 */
export class World {
  readonly dice: Dice
  readonly ids: Dice
  readonly house: House
  readonly rates: ReturnType<typeof ratesOf>
  /** Settings that the product leaves open. */
  readonly knobs: { readonly machines: number; readonly sweepSeconds: number; readonly tickSeconds: number }
  /** Whether receivers of webhooks refuse everything, so that deliveries fail for good. */
  readonly isRefused: boolean
  readonly mortals: Array<Mortal> = []
  readonly trace: Array<string> = []
  /** Errors that machines logged. */
  readonly complaints: Array<string> = []
  /** The parameters of each failed statement, and the ids in its lost response. */
  readonly failed: Array<string> = []
  /** When machines were killed or stalled, and whether by poison. */
  readonly losses: Array<Loss> = []
  /** When questions were refused by their recipients. */
  readonly refusals: Array<number> = []
  now = epoch
  /** When the last stalled machine continues. */
  sleepsUntil = epoch
  isFaulty = true
  steps = 0
  /** The transaction that has the database. */
  transaction: object | undefined
  readonly #hash = createHash("sha256")
  #waiting: Array<Happening> = []
  readonly #alarms: Array<Alarm> = []

  constructor(seed: number) {
    this.dice = makeDice(`world ${seed}`)
    this.ids = makeDice(`ids of world ${seed}`)
    this.house = this.pick(["shaky", "shaky", "shaky", "sound", "sound", "drowsy", "drowsy", "leaving"]) ?? "shaky"
    this.rates = ratesOf(this.dice, this.house)
    this.isRefused = makeDice(`refusals in world ${seed}`)() < 0.25
    this.knobs = {
      machines: this.between(this.house === "drowsy" ? 2 : 1, 3),
      sweepSeconds: this.between(5, 60),
      tickSeconds: this.between(5, 20)
    }
  }

  /** Whether a fault happens now. */
  strikes(fault: Fault): boolean {
    return this.dice() < this.rates[fault] && this.isFaulty
  }

  /** A random integer from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.dice() * (most - least + 1))
  }

  /** The duration of a stall: often not much longer than a lease. */
  get standMillis(): number {
    return this.between(2_000, this.dice() < 0.5 ? 60_000 : 200_000)
  }

  pick<A>(choices: ReadonlyArray<A>): A | undefined {
    return choices[Math.floor(this.dice() * choices.length)]
  }

  note(line: string): void {
    const text = `${((this.now - epoch) / 1000).toFixed(3)} ${line}`
    this.#hash.update(`${text}\n`)
    this.trace.push(text)
  }

  /** The hash of the trace so far. */
  get hash(): string {
    return this.#hash.copy().digest("hex").slice(0, 16)
  }

  /** Queues a happening. The returned function removes it. */
  gate(happening: Happening): () => void {
    this.#waiting.push(happening)
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== happening)
    }
  }

  /** Rings after `millis`, unless its owner is dead by then. The returned function cancels it. */
  after(millis: number, owner: Mortal | null, ring: () => void): () => void {
    const alarm = { at: this.now + millis, owner, ring }
    const later = this.#alarms.findIndex(({ at }) => at > alarm.at)
    this.#alarms.splice(later === -1 ? this.#alarms.length : later, 0, alarm)
    return () => {
      const at = this.#alarms.indexOf(alarm)
      if (at !== -1) this.#alarms.splice(at, 1)
    }
  }

  /** Like `after`, but the world does not end before it rings. */
  sleep(millis: number, owner: Mortal, ring: () => void): void {
    this.sleepsUntil = Math.max(this.sleepsUntil, this.now + millis)
    this.after(millis, owner, ring)
  }

  /** Runs all machines until all of them wait. */
  settle(): void {
    while (this.mortals.some((mortal) => mortal.drain()));
  }

  /** Runs one happening, or the next alarm. False if there is neither. */
  async step(): Promise<boolean> {
    this.settle()
    this.#waiting = this.#waiting.filter(({ owner }) => owner === null || owner.isAlive)
    const ready = this.#waiting.filter(
      ({ isStatement, owner, transaction }) =>
        (owner === null || owner.standsUntil <= this.now) &&
        (isStatement !== true || this.transaction === undefined || transaction === this.transaction)
    )
    const next = this.pick(ready)
    if (next === undefined) return this.#jump()
    this.#waiting = this.#waiting.filter((other) => other !== next)
    this.#advance(this.now + this.between(1, slowest[this.house]))
    if (next.owner !== null && !next.owner.isAlive) return true
    this.steps++
    await next.happen()
    this.settle()
    return true
  }

  #jump(): boolean {
    const [first] = this.#alarms
    if (first === undefined) return false
    this.#advance(first.at)
    return true
  }

  #advance(until: number): void {
    for (let first = this.#alarms[0]; first !== undefined && first.at <= until; first = this.#alarms[0]) {
      this.#alarms.shift()
      this.now = Math.max(this.now, first.at)
      const { owner, ring } = first
      if (owner !== null && !owner.isAlive) continue
      if (owner !== null && owner.standsUntil > this.now) this.after(owner.standsUntil - this.now, owner, ring)
      else ring()
      this.settle()
    }
    this.now = Math.max(this.now, until)
  }
}
