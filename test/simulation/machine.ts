import { Clock, Context, Duration, Effect, Exit, Fiber, Layer, Logger, LogLevel, Scheduler, Scope } from "effect"
import { shutdownGrace } from "@sightline/engine/Tuning"
import type { Mortal, World } from "./world.ts"

/** What a machine has to run, lowest priority first, in the order it came. */
class Tasks {
  readonly #tasks: Array<{ readonly run: () => void; readonly priority: number }> = []

  add(run: () => void, priority: number): void {
    const later = this.#tasks.findLastIndex((task) => task.priority <= priority)
    this.#tasks.splice(later + 1, 0, { run, priority })
  }

  /** Runs the first one. False: there was none. */
  runOne(): boolean {
    const task = this.#tasks.shift()
    task?.run()
    return task !== undefined
  }
}

/** How long a machine that stood still does not stand still again: it takes up what it was at. */
const awakeMillis = 20_000

/**
 * A process of the service as the simulation has it: fibers that run when they are told to and sleep by the world's clock,
 * which this machine sees `skew` milliseconds off.
 *
 * Laws: a machine that was killed runs nothing any more, not even what it would have done on its way out.
 */
export class Machine implements Mortal {
  isAlive = true
  standsUntil = 0
  readonly name: string
  readonly #world: World
  readonly #tasks = new Tasks()
  readonly #context: Context.Context<never>
  readonly #scope = Scope.makeUnsafe()
  /** What was started on this machine and has not ended. */
  readonly #running = new Set<Fiber.Fiber<unknown, unknown>>()
  #deaths: Array<() => void> = []

  constructor(name: string, world: World, skew: number) {
    this.name = name
    this.#world = world
    this.#context = Context.empty().pipe(
      Context.add(Scheduler.Scheduler, this.#scheduler()),
      Context.add(Clock.Clock, this.#clock(skew)),
      Context.add(Logger.CurrentLoggers, new Set<Logger.Logger<unknown, unknown>>([this.#logger()]))
    )
    world.mortals.push(this)
  }

  #scheduler(): Scheduler.Scheduler {
    return {
      executionMode: "async",
      shouldYield: (fiber) => fiber.currentOpCount >= fiber.cache.maxOpsBeforeYield,
      makeDispatcher: () => ({
        scheduleTask: (task, priority) => this.#tasks.add(task, priority),
        flush: () => void this.drain()
      })
    }
  }

  /** What it reports as an error is kept, and no more. */
  #logger(): Logger.Logger<unknown, void> {
    return Logger.make(({ logLevel, message }) => {
      if (LogLevel.isGreaterThanOrEqualTo(logLevel, "Error"))
        this.#world.complaints.push(`${this.name}: ${String(message)}`)
    })
  }

  #clock(skew: number): Clock.Clock {
    const world = this.#world
    const millis = () => world.now + skew
    const nanos = () => BigInt(millis()) * 1_000_000n
    return {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: (duration) =>
        Effect.callback<void>((resume) => {
          const cancel = world.after(Math.ceil(Duration.toMillis(duration)), this, () => resume(Effect.void))
          return Effect.sync(cancel)
        })
    }
  }

  drain(): boolean {
    let ran = false
    while (this.isAlive && this.standsUntil <= this.#world.now && this.#tasks.runOne()) ran = true
    return ran
  }

  /** Hands it something from outside, which it takes up when it does not stand still. */
  receive(take: () => void): void {
    if (!this.isAlive) return
    const wait = this.standsUntil - this.#world.now
    if (wait > 0) this.#world.after(wait, this, take)
    else take()
  }

  /**
   * Stands still for so long, and takes up afterwards what it was at, as if nothing had been. Of several machines one is always
   * awake, or nobody would take over what the others have.
   */
  stand(millis: number): void {
    const others = this.#world.mortals.filter((mortal) => mortal !== this)
    const isLast = others.length > 0 && others.every(({ standsUntil }) => standsUntil > this.#world.now)
    if (isLast || this.standsUntil + awakeMillis > this.#world.now) return
    this.standsUntil = this.#world.now + millis
    this.#world.losses.push({ from: this.#world.now, to: this.standsUntil, isPoison: false })
    this.#world.note(`${this.name} stands still for ${millis} ms`)
    // So that time does not pass it by.
    this.#world.sleep(millis, this, () => undefined)
  }

  /** Starts something on this machine. `ended` is told how it ended, unless the machine is killed before. */
  run<A, E>(effect: Effect.Effect<A, E>, ended: (exit: Exit.Exit<A, E>) => void): { readonly interrupt: () => void } {
    const fiber = Effect.runForkWith(this.#context)(effect)
    this.#running.add(fiber)
    fiber.addObserver((exit) => {
      this.#running.delete(fiber)
      if (this.isAlive) ended(exit)
    })
    return { interrupt: () => fiber.interruptUnsafe() }
  }

  /** Makes the services of this machine, which last until it is stopped. */
  start<Services, E>(
    layer: Layer.Layer<Services, E>,
    ended: (services: Exit.Exit<Context.Context<Services>, E>) => void
  ) {
    this.run(Layer.buildWithScope(layer, this.#scope), ended)
  }

  /** Tells who asked to be told when the machine is killed. The function it gives takes that back. */
  onDeath(tell: () => void): () => void {
    this.#deaths.push(tell)
    return () => {
      this.#deaths = this.#deaths.filter((other) => other !== tell)
    }
  }

  /** Asks it to leave: it lets what it was asked for end, interrupts what does not, closes its services and is gone. */
  stop(): void {
    this.#world.note(`${this.name} is asked to leave`)
    const running = Array.from(this.#running)
    const drained = Effect.timeoutOption(Fiber.awaitAll(running), shutdownGrace)
    const left = Effect.andThen(
      Effect.andThen(drained, Fiber.interruptAll(running)),
      Scope.close(this.#scope, Exit.void)
    )
    this.run(left, () => this.kill("has left"))
  }

  kill(how = "is killed", isPoison = false): void {
    if (!this.isAlive) return
    this.isAlive = false
    const world = this.#world
    world.losses.push({ from: world.now, to: world.now, isPoison })
    world.mortals.splice(world.mortals.indexOf(this), 1)
    world.note(`${this.name} ${how}`)
    for (const tell of this.#deaths) tell()
  }
}
