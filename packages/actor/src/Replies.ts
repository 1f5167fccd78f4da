import { Clock, Duration, Effect, Exit, type Fiber, Schema } from "effect"

/**
 * Why a request stays unanswered.
 *
 * `timeout`: nothing came back in time. `no_responder`: nobody is subscribed, or the receiver left or died with it in hand. `unread`:
 * the receiver left before it read the request, which may be sent again. `mailbox_full`: the receiver has as much to do
 * as it accepts, or did not come to the request in time. `disconnected`: the bus is out of reach, or takes nothing on the subject. `too_large`: the request or its
 * reply is longer than the bus carries. `receiver_failed`: the request could not be read, or handling it died; the
 * receiver's log says why.
 */
export const Silence = Schema.Literals([
  "timeout",
  "no_responder",
  "unread",
  "mailbox_full",
  "disconnected",
  "too_large",
  "receiver_failed"
])
export type Silence = typeof Silence.Type

type Reply = Exit.Exit<string, Silence>

/** The requests of one bus that are waiting for their reply, each known by a number. */
export interface Replies {
  /** Waits for the reply to the request that `send` sends to the subject under its number. Interrupting it forgets the request. */
  readonly wait: (
    subject: string,
    timeout: Duration.Input,
    send: (id: number) => void
  ) => Effect.Effect<string, Silence>
  /** Ends one wait; a number that nobody waits for any more is ignored. */
  readonly settle: (id: number, reply: Reply) => void
  /** Ends every wait, or those for what was sent to one subject. */
  readonly settleAll: (reason: Silence, subject?: string) => void
  /** Notes a sign of life from whoever has the request. */
  readonly hear: (id: number) => void
  /** Ends with `no_responder` the waits without a sign of life since the twentieth look before this one. */
  readonly look: () => void
}

/** Looks without a sign. They are counted instead of the time, which passes also for a process that stands still and hears nothing. */
const looksMax = 20

/** One timer for all requests that are due in the same millisecond: a timer each would cost more than the request. */
interface Alarm {
  readonly ids: Set<number>
  timer?: Fiber.Fiber<void>
}

interface Wait {
  readonly subject: string
  /** By a clock that nobody sets. */
  readonly dueMillis: number
  /** Looks since the last sign of life, or since it began. */
  looks: number
  readonly resume: (reply: Reply) => void
}

/** No requests yet. Closing the scope ends every wait. */
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
  const settleEach = (ids: Iterable<number>, reason: Silence) => {
    for (const id of Array.from(ids)) settle(id, Exit.fail(reason))
  }
  const setAlarm = (id: number, dueMillis: number, timeout: Duration.Duration) => {
    const known = alarms.get(dueMillis)
    if (known !== undefined) {
      known.ids.add(id)
      return
    }
    // On the list before it is started, because a timeout of nothing may ring at once.
    const alarm: Alarm = { ids: new Set([id]) }
    alarms.set(dueMillis, alarm)
    alarm.timer = fork(
      Effect.andThen(
        clock.sleep(timeout),
        Effect.sync(() => settleEach(alarm.ids, "timeout"))
      )
    )
  }
  const settleAll = (reason: Silence, subject?: string) => {
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
        const wait: Wait = { subject, resume, dueMillis, looks: 0 }
        waits.set(id, wait)
        setAlarm(id, dueMillis, duration)
        send(id)
        return Effect.sync(() => forget(id, wait))
      }),
    settle,
    settleAll,
    hear: (id) => {
      const wait = waits.get(id)
      if (wait !== undefined) wait.looks = 0
    },
    look: () => {
      for (const [id, wait] of waits) {
        if (++wait.looks > looksMax) settle(id, Exit.fail("no_responder"))
      }
    }
  }
  return replies
})
