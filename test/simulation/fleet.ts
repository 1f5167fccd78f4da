import { Exit } from "effect"
import { Machine } from "./machine.ts"
import { layer, type Services, type Surroundings } from "./service.ts"
import type { House } from "./world.ts"

/** A machine that serves. */
export interface Ready {
  readonly machine: Machine
  readonly services: Services
}

type Fate = "die" | "stand" | "leave"

/** What alone becomes of machines in some houses. */
const fateOf: Readonly<Partial<Record<House, Fate>>> = { drowsy: "stand", leaving: "leave" }

/**
 * The machines of one world. One that dies is made anew after a while, from nothing.
 *
 * Shape: clocks of machines are wrong, each by its own measure; the database's is right by definition.
 */
export class Fleet {
  readonly #surroundings: Surroundings
  /** How many machines there may be. */
  #size: number
  /** When machines may be there again after a blackout. */
  #darkUntil = 0
  #ready: ReadonlyArray<Ready> = []
  /** Those that live, also while they start or leave, the oldest first. */
  readonly #living = new Set<Machine>()
  /** What mostly becomes of machines: in some worlds they are killed, in some they stand still. */
  readonly #fates: ReadonlyArray<Fate>
  /** From when to when no machine was there. */
  readonly nights: Array<readonly [from: number, to: number]> = []

  constructor(surroundings: Surroundings, size: number) {
    this.#surroundings = surroundings
    this.#fates = surroundings.world.pick([["die", "stand", "leave"], ["stand"], ["die", "die", "stand"]]) ?? []
    this.#size = size
    for (let place = 1; place <= size; place++) this.#boot(place, 1)
    this.#trouble()
  }

  /** One of the machines that serve, unless none does: mostly one that is awake. */
  pick(): Ready | undefined {
    const { world } = this.#surroundings
    return (world.dice() < 0.8 ? world.pick(this.#awake()) : undefined) ?? world.pick(this.#ready)
  }

  #awake(): ReadonlyArray<Ready> {
    const { now } = this.#surroundings.world
    return this.#ready.filter(({ machine }) => machine.standsUntil <= now)
  }

  /** How long it is until machines may be there again. */
  get darkMillis(): number {
    return Math.max(0, this.#darkUntil - this.#surroundings.world.now)
  }

  /** All machines are killed, and none is there for a while. */
  blackout(millis: number): void {
    const { world } = this.#surroundings
    this.#darkUntil = world.now + millis
    this.nights.push([world.now, this.#darkUntil])
    world.note(`a blackout of ${millis} ms`)
    for (const machine of Array.from(this.#living)) machine.kill()
  }

  /** All are killed but the one that has lived longest, and none comes in their place: what they leave is for that one. */
  shrink(): void {
    const [, ...others] = this.#living
    this.#size = 1
    for (const machine of others) machine.kill()
  }

  #boot(place: number, generation: number): void {
    const { world } = this.#surroundings
    if (this.#living.size >= this.#size) return
    // Whoever died before a blackout does not come back in it.
    if (this.darkMillis > 0)
      return void world.after(this.darkMillis + world.between(100, 15_000), null, () => this.#boot(place, generation))
    const skew = world.pick([0, -2_000, 3_000, -600_000, 600_000]) ?? 0
    const machine = new Machine(`m${place}.${generation}`, world, skew)
    this.#living.add(machine)
    machine.onDeath(() => {
      this.#living.delete(machine)
      this.#ready = this.#ready.filter((ready) => ready.machine !== machine)
      world.after(this.darkMillis + world.between(100, 15_000), null, () => this.#boot(place, generation + 1))
    })
    machine.start(layer(this.#surroundings, machine), (services) => {
      if (Exit.isFailure(services)) return machine.kill("did not start")
      world.note(`${machine.name} serves, its clock ${skew} ms off`)
      this.#ready = [...this.#ready, { machine, services: services.value }]
    })
  }

  /** Now and then a machine that is awake meets its fate, in a house that has such fates: who sleeps is to wake up. */
  #trouble(): void {
    const { world } = this.#surroundings
    world.after(world.between(2_000, 40_000), null, () => {
      const doomed = world.pick(this.#awake())?.machine
      const hasFates = world.house === "leaving" || world.rates.crash + world.rates.standstill > 0
      if (doomed !== undefined && world.isFaulty && hasFates) this.#befall(doomed)
      this.#trouble()
    })
  }

  /** Kills it, has it stand still, or asks it to leave, whatever it is at. */
  #befall(doomed: Machine): void {
    const { world } = this.#surroundings
    const fate = fateOf[world.house] ?? world.pick(this.#fates)
    if (fate === "die") return doomed.kill()
    if (fate === "stand") return doomed.stand(world.standMillis)
    this.#ready = this.#ready.filter(({ machine }) => machine !== doomed)
    doomed.stop()
  }
}
