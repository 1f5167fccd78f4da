import { Clock, Duration, Effect, Exit, type Fiber, Schema } from "effect"

/**
 * Why a request gets no answer.
 *
 * `timeout`: no reply arrived in time. `no_responder`: nobody is subscribed, or the receiver left or died before it answered. `unread`:
 * the receiver left before it read the request, which may be sent again. `mailbox_full`: the receiver's mailbox is full, or the request
 * waited in it too long. `disconnected`: the bus is not connected, or accepts no messages on the subject. `too_large`: the request or
 * its reply is longer than the bus carries. `receiver_failed`: the request or its reply could not be read, or handling it died; the log
 * of the process where that happened says why.
 */
export const NoReplyReason = Schema.Literals([
  "timeout",
  "no_responder",
  "unread",
  "mailbox_full",
  "disconnected",
  "too_large",
  "receiver_failed"
])
export type NoReplyReason = typeof NoReplyReason.Type

type Reply = Exit.Exit<string, NoReplyReason>

/** The pending requests of one bus, each identified by a number. */
export interface Replies {
  /** Calls `send` with the number of a new request, and waits for the reply. Interrupting the wait forgets the request. */
  readonly wait: (
    subject: string,
    timeout: Duration.Input,
    send: (id: number) => void
  ) => Effect.Effect<string, NoReplyReason>
  /** Ends one wait. A number that is no longer pending is ignored. */
  readonly settle: (id: number, reply: Reply) => void
  /** Ends every wait, or only those for requests to one subject. */
  readonly settleAll: (reason: NoReplyReason, subject?: string) => void
  /** Notes a heartbeat of the receiver of a request. */
  readonly noteHeartbeat: (id: number) => void
  /** Ends with `no_responder` each wait that has had no heartbeat since the twentieth tick before this one. */
  readonly tick: () => void
}

/**
 * The most ticks without a heartbeat. Ticks are counted instead of time, because time also passes while the process is suspended and
 * receives nothing.
 */
const ticksMax = 20

/** One timer for all requests that are due in the same millisecond: a timer for each would cost more than the request. */
interface Alarm {
  readonly ids: Set<number>
  timer?: Fiber.Fiber<void>
}

interface Wait {
  readonly subject: string
  /** On the monotonic clock. */
  readonly dueMillis: number
  /** Ticks since the last heartbeat, or since the start of the wait. */
  ticks: number
  readonly resume: (reply: Reply) => void
}

/** Starts without requests. Closing the scope ends every wait. */
export const makeReplies = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const fork = Effect.runForkWith(yield* Effect.context())
  const waits = new Map<number, Wait>()
  const alarms = new Map<number, Alarm>()
  let lastId = 0

  const forget = (id: number, { dueMillis }: Wait) => {
    waits.delete(id)
    const alarm = alarms.get(dueMillis)
    if (alarm === undefined || !alarm.ids.delete(id) || alarm.ids.size > 0) return
    alarms.delete(dueMillis)
    alarm.timer?.interruptUnsafe()
  }
  const settle = (id: number, reply: Reply) => {
    const wait = waits.get(id)
    if (wait === undefined) return
    forget(id, wait)
    wait.resume(reply)
  }
  const settleEach = (ids: Iterable<number>, reason: NoReplyReason) => {
    for (const id of Array.from(ids)) settle(id, Exit.fail(reason))
  }
  const setAlarm = (id: number, dueMillis: number, timeout: Duration.Duration) => {
    const known = alarms.get(dueMillis)
    if (known !== undefined) {
      known.ids.add(id)
      return
    }
    // Registered before it starts, because a timeout of zero may fire at once.
    const alarm: Alarm = { ids: new Set([id]) }
    alarms.set(dueMillis, alarm)
    alarm.timer = fork(
      Effect.andThen(
        clock.sleep(timeout),
        Effect.sync(() => settleEach(alarm.ids, "timeout"))
      )
    )
  }
  const settleAll = (reason: NoReplyReason, subject?: string) => {
    const isSent = (id: number) => subject === undefined || waits.get(id)?.subject === subject
    settleEach([...waits.keys()].filter(isSent), reason)
  }

  yield* Effect.addFinalizer(() => Effect.sync(() => settleAll("disconnected")))
  const replies: Replies = {
    wait: (subject, timeout, send) =>
      Effect.callback((resume) => {
        const id = ++lastId
        const duration = Duration.fromInputUnsafe(timeout)
        const dueMillis = Math.ceil(Number(clock.monotonicTimeNanosUnsafe()) / 1e6 + Duration.toMillis(duration))
        const wait: Wait = { subject, resume, dueMillis, ticks: 0 }
        waits.set(id, wait)
        setAlarm(id, dueMillis, duration)
        send(id)
        return Effect.sync(() => forget(id, wait))
      }),
    settle,
    settleAll,
    noteHeartbeat: (id) => {
      const wait = waits.get(id)
      if (wait !== undefined) wait.ticks = 0
    },
    tick: () => {
      for (const [id, wait] of waits) {
        if (++wait.ticks > ticksMax) settle(id, Exit.fail("no_responder"))
      }
    }
  }
  return replies
})
