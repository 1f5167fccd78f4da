import { Effect, Exit, Layer, Queue } from "effect"
import { Bus, type Envelope, NoReply } from "@sightline/actor/Bus"
import { inbox } from "@sightline/actor/Inbox"
import { type WorkItem, WorkQueue } from "@sightline/actor/WorkQueue"
import type { Machine } from "./machine.ts"
import { poison } from "./requests.ts"
import type { Fault, World } from "./world.ts"

/** A subscriber of a subject. */
interface Subscriber<A> {
  readonly machine: Machine
  readonly queue: Queue.Enqueue<A>
}

class Subscribers<A> {
  readonly #ears = new Map<string, Array<Subscriber<A>>>()

  on(subject: string): ReadonlyArray<Subscriber<A>> {
    return (this.#ears.get(subject) ?? []).filter(({ machine }) => machine.isAlive)
  }

  join(subject: string, ear: Subscriber<A>) {
    const leave = () => {
      this.#ears.set(
        subject,
        (this.#ears.get(subject) ?? []).filter((other) => other !== ear)
      )
    }
    return Effect.acquireRelease(
      Effect.sync(() => this.#ears.set(subject, [...this.on(subject), ear])),
      () => Effect.sync(leave)
    )
  }
}

interface Consumer {
  readonly machine: Machine
  readonly take: (item: WorkItem) => void
}

/** The ids waiting in one queue, and the consumers waiting for them. */
class Line {
  waiting: ReadonlyArray<WorkItem> = []
  consumers: ReadonlyArray<Consumer> = []
}

/** How long the server waits for the acknowledgment of an id. */
const ackWaitMillis = 30_000

const givenBackMillis = 1_000

/**
 * The messages between the machines of one world, as a NATS server delivers them: late, in any order, sometimes twice, and
 * sometimes not at all.
 */
export class Nerve {
  readonly #world: World
  readonly #subscribers = new Subscribers<Envelope>()
  readonly #listeners = new Subscribers<string>()
  readonly #lines = new Map<string, Line>()

  constructor(world: World) {
    this.#world = world
  }

  /** Sends a message; the sender may be dead when it arrives. */
  #send(
    name: string,
    arrive: () => void,
    { lost = "messageLost", twice = false }: { readonly lost?: Fault; readonly twice?: boolean } = {}
  ): void {
    const world = this.#world
    const happen = () => {
      const isLost = world.strikes(lost)
      world.note(isLost ? `${name}: lost` : name)
      if (!isLost) arrive()
    }
    world.gate({ name, owner: null, happen })
    if (twice && world.strikes("messageDoubled")) world.gate({ name, owner: null, happen })
  }

  /** The bus as seen by a machine. */
  readonly bus = (machine: Machine) =>
    Bus.of({
      request: (subject, body, timeout) =>
        Effect.callback<string, NoReply>((resume) => {
          // A poison question kills every machine that asks it.
          if (body.includes(poison)) return machine.kill("is poisoned", true)
          let isOpen = true
          const settle = (exit: Exit.Exit<string, NoReply>) => {
            machine.receive(() => {
              if (isOpen) resume(exit)
              isOpen = false
            })
          }
          const refuse = (reason: NoReply["reason"]) => {
            this.#world.refusals.push(this.#world.now)
            settle(Exit.fail(new NoReply({ subject, reason })))
          }
          const back = (name: string, arrive: () => void) => Effect.sync(() => this.#send(`${name} ${subject}`, arrive))
          const envelope: Envelope = {
            body,
            reply: (text) => back("reply", () => settle(Exit.succeed(text))),
            refuse: (reason) => back("refusal", () => refuse(reason))
          }
          this.#send(`${machine.name} asks ${subject}`, () => {
            const ear = this.#world.pick(this.#subscribers.on(subject))
            if (ear === undefined) refuse("no_responder")
            else ear.machine.receive(() => Queue.offerUnsafe(ear.queue, envelope))
          })
          return Effect.sync(() => {
            isOpen = false
          })
        }).pipe(
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => Effect.fail(new NoReply({ subject, reason: "timeout" }))
          })
        ),
      subscribe: (subject) =>
        inbox<Envelope>({
          strategy: "dropping",
          attach: (queue) => this.#subscribers.join(subject, { machine, queue }),
          abandon: (unread) => unread.refuse("unread")
        }),
      publish: (subject, body) =>
        Effect.sync(() => {
          for (const ear of this.#listeners.on(subject))
            this.#send(
              `${machine.name} tells ${ear.machine.name} ${subject}`,
              () => {
                ear.machine.receive(() => Queue.offerUnsafe(ear.queue, body))
              },
              { lost: "wordLost", twice: true }
            )
        }),
      listen: (subject) =>
        inbox<string>({
          strategy: "sliding",
          attach: (queue) => this.#listeners.join(subject, { machine, queue }),
          abandon: () => Effect.void
        })
    })

  #line(queue: string): Line {
    const line = this.#lines.get(queue) ?? new Line()
    this.#lines.set(queue, line)
    return line
  }

  #arrive(queue: string, item: WorkItem): void {
    const line = this.#line(queue)
    line.waiting = [...line.waiting, item]
    this.#hand(queue)
  }

  /** Hands one id to one consumer, if both exist by then. */
  #hand(queue: string): void {
    const world = this.#world
    const line = this.#line(queue)
    const happen = () => {
      line.consumers = line.consumers.filter(({ machine }) => machine.isAlive)
      const [item, consumer] = [line.waiting[0], world.pick(line.consumers)]
      if (item === undefined || consumer === undefined) return
      line.waiting = line.waiting.slice(1)
      line.consumers = line.consumers.filter((other) => other !== consumer)
      world.note(`${consumer.machine.name} is handed one of ${queue}`)
      consumer.take(item)
    }
    world.gate({ name: `hand out ${queue}`, owner: null, happen })
  }

  /** The work queues as seen by a machine. */
  readonly work = (machine: Machine) =>
    WorkQueue.of({
      push: (queue, items) =>
        Effect.sync(() => {
          for (const item of items)
            this.#send(`${machine.name} pushes to ${queue}`, () => this.#arrive(queue, item), { twice: true })
        }),
      next: (queue, claim) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(restore(this.#take(queue, machine)), ({ item, acknowledge }) =>
            restore(Effect.suspend(() => claim(item.id))).pipe(
              Effect.onExit((exit) =>
                Effect.sync(() => {
                  acknowledge()
                  if (Exit.isFailure(exit)) this.#world.after(givenBackMillis, null, () => this.#arrive(queue, item))
                })
              )
            )
          )
        )
    })

  #take(queue: string, machine: Machine) {
    return Effect.callback<{ readonly item: WorkItem; readonly acknowledge: () => void }>((resume) => {
      const line = this.#line(queue)
      const consumer: Consumer = {
        machine,
        take: (item) => {
          // If this machine dies first, the acknowledgment never comes.
          const acknowledge = this.#world.after(ackWaitMillis, null, () => this.#arrive(queue, item))
          machine.receive(() => resume(Effect.succeed({ item, acknowledge })))
        }
      }
      line.consumers = [...line.consumers, consumer]
      if (line.waiting.length > 0) this.#hand(queue)
      return Effect.sync(() => {
        line.consumers = line.consumers.filter((other) => other !== consumer)
      })
    })
  }

  /** The bus and the work queues of a machine. */
  readonly layer = (machine: Machine): Layer.Layer<Bus | WorkQueue> =>
    Layer.merge(Layer.succeed(Bus, this.bus(machine)), Layer.succeed(WorkQueue, this.work(machine)))
}
