import { Clock, Context, Duration, Effect, Exit, Fiber, Layer, Logger, LogLevel, Scheduler, Scope } from "effect"
import { shutdownGrace } from "@sightline/engine/Tuning"
import type { Mortal, World } from "./world.ts"

/** The tasks of a machine, lowest priority first, then in order of arrival. */
class Tasks {
  readonly #tasks: Array<{ readonly run: () => void; readonly priority: number }> = []

  add(run: () => void, priority: number): void {
    const later = this.#tasks.findLastIndex((task) => task.priority <= priority)
    this.#tasks.splice(later + 1, 0, { run, priority })
  }

  /** Runs the first task. False if there was none. */
  runOne(): boolean {
    const task = this.#tasks.shift()
    task?.run()
    return task !== undefined
  }
}

/** How long a machine runs after a stall before it can stall again, so that it makes progress. */
const awakeMillis = 20_000

/**
 * A process of the service in the simulation: its fibers run when the world drains them, and sleep by the world's clock,
 * which this machine sees `skew` milliseconds off.
 *
 * Laws: a killed machine runs nothing more, not even its finalizers.
 */
export class Machine implements Mortal {
  isAlive = true
  standsUntil = 0
  readonly name: string
  readonly #world: World
  readonly #tasks = new Tasks()
  readonly #context: Context.Context<never>
  readonly #scope = Scope.makeUnsafe()
  /** The fibers that were started on this machine and have not ended. */
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

  /** Keeps what is logged as an error, and nothing else. */
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

  /** Delivers something from outside; a stalled machine receives it when it wakes up. */
  receive(take: () => void): void {
    if (!this.isAlive) return
    const wait = this.standsUntil - this.#world.now
    if (wait > 0) this.#world.after(wait, this, take)
    else take()
  }

  /**
   * Stalls for this long, and then continues as if nothing had happened. At least one of several machines is always awake, so that work
   * can be taken over.
   */
  stand(millis: number): void {
    const others = this.#world.mortals.filter((mortal) => mortal !== this)
    const isLast = others.length > 0 && others.every(({ standsUntil }) => standsUntil > this.#world.now)
    if (isLast || this.standsUntil + awakeMillis > this.#world.now) return
    this.standsUntil = this.#world.now + millis
    this.#world.losses.push({ from: this.#world.now, to: this.standsUntil, isPoison: false })
    this.#world.note(`${this.name} stands still for ${millis} ms`)
    // So that the world waits for the end of the stall.
    this.#world.sleep(millis, this, () => undefined)
  }

  /** Starts an effect on this machine. `ended` gets its exit, unless the machine is killed before. */
  run<A, E>(effect: Effect.Effect<A, E>, ended: (exit: Exit.Exit<A, E>) => void): { readonly interrupt: () => void } {
    const fiber = Effect.runForkWith(this.#context)(effect)
    this.#running.add(fiber)
    fiber.addObserver((exit) => {
      this.#running.delete(fiber)
      if (this.isAlive) ended(exit)
    })
    return { interrupt: () => fiber.interruptUnsafe() }
  }

  /** Builds the services of this machine, which last until it is stopped. */
  start<Services, E>(
    layer: Layer.Layer<Services, E>,
    ended: (services: Exit.Exit<Context.Context<Services>, E>) => void
  ) {
    this.run(Layer.buildWithScope(layer, this.#scope), ended)
  }

  /** Calls `tell` when the machine is killed. The returned function cancels that. */
  onDeath(tell: () => void): () => void {
    this.#deaths.push(tell)
    return () => {
      this.#deaths = this.#deaths.filter((other) => other !== tell)
    }
  }

  /** Asks it to stop: it waits for its work until the grace period ends, interrupts the rest, closes its services and is gone. */
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
