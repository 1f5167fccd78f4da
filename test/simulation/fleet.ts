import { Exit } from "effect"
import { Machine } from "./machine.ts"
import { layer, type MachineContext, type Services } from "./service.ts"
import type { House } from "./world.ts"

/** A machine that serves requests. */
export interface Ready {
  readonly machine: Machine
  readonly services: Services
}

type Fate = "die" | "stand" | "leave"

/** The only fate of machines in some kinds of world. */
const fateOf: Readonly<Partial<Record<House, Fate>>> = { drowsy: "stand", leaving: "leave" }

/**
 * The machines of one world. One that dies is replaced after a while, without its memory.
 *
 * Shape: each machine's clock is off by an amount of its own; the database's is right by definition.
 */
export class Fleet {
  readonly #context: MachineContext
  /** The maximum number of machines. */
  #size: number
  /** The end of a blackout, after which machines may start again. */
  #darkUntil = 0
  #ready: ReadonlyArray<Ready> = []
  /** The machines alive, including those that start or stop, oldest first. */
  readonly #living = new Set<Machine>()
  /** The likely fates of machines: in some worlds they are killed, in some they stall. */
  readonly #fates: ReadonlyArray<Fate>
  /** The periods without any machine. */
  readonly nights: Array<readonly [from: number, to: number]> = []

  constructor(context: MachineContext, size: number) {
    this.#context = context
    this.#fates = context.world.pick([["die", "stand", "leave"], ["stand"], ["die", "die", "stand"]]) ?? []
    this.#size = size
    for (let place = 1; place <= size; place++) this.#boot(place, 1)
    this.#trouble()
  }

  /** A machine that serves, if there is one; mostly one that is not stalled. */
  pick(): Ready | undefined {
    const { world } = this.#context
    return (world.dice() < 0.8 ? world.pick(this.#awake()) : undefined) ?? world.pick(this.#ready)
  }

  #awake(): ReadonlyArray<Ready> {
    const { now } = this.#context.world
    return this.#ready.filter(({ machine }) => machine.standsUntil <= now)
  }

  /** The time until machines may start again. */
  get darkMillis(): number {
    return Math.max(0, this.#darkUntil - this.#context.world.now)
  }

  /** Kills all machines, and starts none for a while. */
  blackout(millis: number): void {
    const { world } = this.#context
    this.#darkUntil = world.now + millis
    this.nights.push([world.now, this.#darkUntil])
    world.note(`a blackout of ${millis} ms`)
    for (const machine of Array.from(this.#living)) machine.kill()
  }

  /** Kills all machines but the oldest and replaces none: the remaining one has to finish their work. */
  shrink(): void {
    const [, ...others] = this.#living
    this.#size = 1
    for (const machine of others) machine.kill()
  }

  #boot(place: number, generation: number): void {
    const { world } = this.#context
    if (this.#living.size >= this.#size) return
    // A machine that died before a blackout does not come back during it.
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
    machine.start(layer(this.#context, machine), (services) => {
      if (Exit.isFailure(services)) return machine.kill("did not start")
      world.note(`${machine.name} serves, its clock ${skew} ms off`)
      this.#ready = [...this.#ready, { machine, services: services.value }]
    })
  }

  /** Now and then a running machine meets its fate, if the world has fates: a stalled one must wake up first. */
  #trouble(): void {
    const { world } = this.#context
    world.after(world.between(2_000, 40_000), null, () => {
      const doomed = world.pick(this.#awake())?.machine
      const hasFates = world.house === "leaving" || world.rates.crash + world.rates.standstill > 0
      if (doomed !== undefined && world.isFaulty && hasFates) this.#befall(doomed)
      this.#trouble()
    })
  }

  /** Kills it, stalls it or asks it to stop, whatever it is doing. */
  #befall(doomed: Machine): void {
    const { world } = this.#context
    const fate = fateOf[world.house] ?? world.pick(this.#fates)
    if (fate === "die") return doomed.kill()
    if (fate === "stand") return doomed.stand(world.standMillis)
    this.#ready = this.#ready.filter(({ machine }) => machine !== doomed)
    doomed.stop()
  }
}
