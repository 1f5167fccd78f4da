/** The laws that a storm is checked against: an honest history keeps each of them, and tampered histories break it. */
import { assert, describe, it } from "vitest"
import type { Books, Evidence, Invocation, Received } from "./history.ts"
import { laws } from "./laws.ts"

const account = "one"
const moment = "2026-01-02T03:04:05.000Z"
const later = (seconds: number) => new Date(Date.parse(moment) + 1000 * seconds).toISOString()

const answered = (kind: Invocation["kind"], subject: string, body: object, isReplay = false): Invocation => ({
  account,
  kind,
  subject,
  outcome: { status: kind === "check" ? 200 : 202, text: JSON.stringify(body), isReplay }
})

const check = { id: "check-1", cost_cents: 112.5 }
const ask = { ask_id: "ask-1" }

type Entry = Books["entries"][number]

const entry = (charge_id: string | undefined, kind: Entry["kind"], amount_cents: number): Entry => ({
  id: `${charge_id} ${kind}`,
  ...(charge_id === undefined ? {} : { charge_id }),
  kind,
  amount_cents,
  available_after_cents: 0,
  held_after_cents: 0,
  created_at: moment,
  hash: ""
})

const charge = (
  id: string,
  endpoint: "check" | "ask",
  price_cents: number,
  charged_cents: number
): Books["charges"][number] => ({
  id,
  endpoint,
  mode: endpoint === "check" ? "quick" : "live",
  state: charged_cents === 0 ? "voided" : "settled",
  cached: false,
  price_cents,
  charged_cents,
  refunded_cents: price_cents - charged_cents,
  outcomes: [],
  sum: null,
  created_at: moment,
  finished_at: moment
})

const kept = (id: string, watch_id: string | null, cost_cents: number): Books["checks"][number] => ({
  id,
  watch_id,
  cost_cents,
  brand: "Acme",
  query: "best",
  mode: "quick",
  region: "us",
  created_at: moment,
  duration_ms: 1,
  platforms: [],
  failures: []
})

const attempt = (delivery_id: string, number: number, after: number, error?: string) => ({
  delivery_id,
  number,
  started_at: later(after),
  duration_ms: error === "unknown" ? null : 10,
  ...(error === undefined ? { status_code: 200 } : { error })
})

const received = (id: string, status: number | null, body = "{}"): Received => ({ attempt: id, status, body })

const logged = (cause: string) =>
  JSON.stringify({ level: "ERROR", cause: `${cause}\n    at run (file:///main.ts:1:2)` })

const books: Books = {
  account,
  wallet: {
    request_id: "",
    environment: "test",
    account: { id: account, name: account },
    balance_cents: 1000 - 112.5 - 14 - 150,
    held_cents: 0,
    topup_url: ""
  },
  entries: [
    entry(undefined, "topup", 1000),
    entry("lost", "hold", 150),
    entry("lost", "release", 150),
    entry("checked", "hold", 150),
    entry("checked", "capture", 112.5),
    entry("checked", "release", 37.5),
    entry("asked", "hold", 14),
    entry("asked", "capture", 14),
    entry("ran", "hold", 150),
    entry("ran", "capture", 150)
  ],
  charges: [
    charge("lost", "check", 150, 0),
    charge("checked", "check", 150, 112.5),
    charge("asked", "ask", 14, 14),
    charge("ran", "check", 150, 150)
  ],
  checks: [kept("check-1", null, 112.5), kept("check-2", "watch-1", 150)],
  asks: [
    {
      request_id: "",
      id: "ask-1",
      status: "completed",
      charge_id: "asked",
      cached: false,
      cache_tier: "miss",
      providers: [],
      brand_mentions: [],
      citations: [],
      usage: { billable_units: 2, latency_ms: 1, cost_cents: 14 }
    }
  ],
  runs: [
    {
      id: "run-1",
      watch_id: "watch-1",
      scheduled_for: moment,
      started_at: moment,
      finished_at: moment,
      status: "completed",
      triggers_fired: ["mention_added"],
      delivery_status: "delivered",
      cost_cents: 150,
      check_id: "check-2",
      diff_summary: null
    }
  ],
  deliveries: [
    {
      request_id: "",
      id: "delivery-1",
      event: "ask.completed",
      ask_id: "ask-1",
      url: "",
      status: "delivered",
      created_at: moment,
      next_attempt_at: null,
      attempts: [attempt("a1", 1, 0, "unknown"), attempt("a2", 2, 31)]
    },
    {
      request_id: "",
      id: "delivery-2",
      event: "watch.fired",
      watch_id: "watch-1",
      run_id: "run-1",
      url: "",
      status: "delivered",
      created_at: moment,
      next_attempt_at: null,
      attempts: [attempt("b1", 1, 0)]
    }
  ]
}

const honest: Evidence = {
  letIn: [],
  history: [
    { account, kind: "check", subject: "key-1", outcome: "unknown" },
    answered("check", "key-1", check),
    answered("check", "key-1", check, true),
    answered("ask", "key-2", ask),
    answered("ask", "key-2", ask, true),
    answered("run", "watch-1", { run_id: "run-1" })
  ],
  received: [received("a1", 200), received("a2", 200), received("b1", 200)],
  books: [books],
  audit: { ok: true, differences: [] },
  processes: [
    { name: "api", output: `ready\n${logged("StatementTimeoutError: no")}`, ended: "killed", code: null },
    { name: "worker", output: "ready", ended: "drained", code: 0 }
  ],
  secrets: ["hush"]
}

/** The evidence with other books. */
const booked = (change: Partial<Books>): Evidence => ({ ...honest, books: [{ ...books, ...change }] })

/** The history without the calls that `isGone` selects, and with more calls. */
const told = (isGone: (call: Invocation) => boolean, ...more: ReadonlyArray<Invocation>): Evidence => ({
  ...honest,
  history: [...honest.history.filter((call) => !isGone(call)), ...more]
})

const first = <A>(list: ReadonlyArray<A>): A => {
  const [one] = list
  assert.isDefined(one)
  return one
}

const delivery = first(books.deliveries)

/** The first delivery with this change, and the requests its receiver saw. */
const sent = (change: Partial<typeof delivery>, ...arrived: ReadonlyArray<Received>): Evidence => ({
  ...booked({ deliveries: [{ ...delivery, ...change }, ...books.deliveries.slice(1)] }),
  received: [received("b1", 200), ...arrived]
})

const said = (output: string): Evidence => ({
  ...honest,
  processes: [{ name: "api", output, ended: "killed", code: null }]
})

const ended = (how: "drained" | "by itself", code: number): Evidence => ({
  ...honest,
  processes: [{ name: "api", output: "", ended: how, code }]
})

const none = () => false
const isOf = (subject: string) => (call: Invocation) => call.subject === subject
const never: Invocation = { account, kind: "check", subject: "key-1", outcome: "unknown" }
const refusal = { status: 500, text: "{}", isReplay: false }

/** Tampered evidence, by the law that must detect it. */
const tampered: Readonly<Record<keyof typeof laws, Readonly<Record<string, Evidence>>>> = {
  "every key has an answer, and no call is refused": {
    "a key that nobody answered": told(isOf("key-1"), never),
    "a call that was answered 500": told(none, { ...never, outcome: refusal })
  },
  "everything that was accepted is finished": {
    "an ask that is gone": booked({ asks: [] }),
    "a run that is gone": booked({ runs: [] }),
    "an ask that waits": booked({ asks: [{ request_id: "", id: "ask-1", status: "running", charge_id: "asked" }] }),
    "a run that waits": booked({ runs: [{ ...first(books.runs), finished_at: null }] }),
    "a delivery that waits": sent({ status: "pending" })
  },
  "a key has one answer, which its replays repeat byte for byte": {
    "a replay with another byte": told(none, answered("check", "key-1", { ...check, more: 1 }, true)),
    "a second answer that is no replay": told(none, answered("check", "key-1", check)),
    "a key that was not asked again": told((call) => call.outcome !== "unknown" && call.outcome.isReplay)
  },
  "what answers cost is what was charged, amount by amount": {
    "a charge that nobody was told of": booked({ charges: [...books.charges, charge("more", "check", 150, 150)] }),
    "a cost that nobody was charged": booked({ charges: books.charges.slice(0, -1) }),
    "a charge of another amount, in the same sum": booked({
      charges: [charge("checked", "check", 150, 150), charge("ran", "check", 150, 112.4), ...books.charges.slice(2, 3)]
    }),
    "an ask that was charged twice": booked({ charges: [...books.charges, charge("again", "ask", 14, 14)] })
  },
  "no check, ask or run is done twice": {
    "a check that nobody asked for": booked({ checks: [...books.checks, kept("check-3", null, 0)] }),
    "a check that is not kept": booked({ checks: books.checks.slice(1) }),
    "an ask that was ordered twice": booked({ charges: [...books.charges, charge("again", "ask", 14, 0)] }),
    "two runs of one check": booked({ runs: [...books.runs, { ...first(books.runs), id: "run-2" }] }),
    "a run without its check": booked({
      runs: [{ ...first(books.runs), check_id: null }],
      checks: books.checks.slice(0, 1)
    })
  },
  "a hold is kept or given back, and none is left": {
    "a hold that is left": booked({ charges: [{ ...first(books.charges), state: "held" }] }),
    "a hold that was given back in part": booked({
      entries: [entry("lost", "hold", 150), entry("lost", "release", 149)]
    }),
    "a hold that was kept twice": booked({ entries: [...books.entries, entry("ran", "capture", 150)] }),
    "a voided hold that was kept": booked({ entries: [entry("lost", "hold", 150), entry("lost", "capture", 150)] })
  },
  "balance = top-ups - charges, and nothing is held": {
    "a balance that is a millicent off": booked({ wallet: { ...books.wallet, balance_cents: 723.499 } }),
    "money that is still held": booked({ wallet: { ...books.wallet, held_cents: 150 } })
  },
  "the auditor finds no difference": {
    "a difference": { ...honest, audit: { ok: false, differences: [{ kind: "entry_hash" }] } }
  },
  "whatever has to be told has one delivery": {
    "an ask without one": booked({ deliveries: books.deliveries.slice(1) }),
    "a run with two": booked({ deliveries: [...books.deliveries, ...books.deliveries.slice(1)] }),
    "a run that had nothing to tell": booked({ runs: [{ ...first(books.runs), triggers_fired: [] }] })
  },
  "every request has its attempt, a delivery has at most 3 and its end": {
    "a request without an attempt": sent({}, received("a1", 200), received("a2", 200), received("a9", 200)),
    "an attempt that was sent twice": sent({}, received("a2", 503), received("a2", 200)),
    "a fourth attempt": sent({
      attempts: [attempt("a", 1, 0, "x"), attempt("b", 2, 1, "x"), attempt("c", 3, 2, "x"), attempt("d", 4, 3, "x")]
    }),
    "bytes that changed": sent({}, received("a1", 200), received("a2", 200, "{ }")),
    "one delivered by nobody": sent({ attempts: [attempt("a1", 1, 0, "timeout")] }, received("a1", 503)),
    "one delivered to nobody": sent({ attempts: [attempt("a1", 1, 0)] }),
    "one that failed after two attempts": sent({ status: "failed", attempts: [attempt("a1", 1, 0, "unknown")] }),
    "one that was sent again while its success was written down": sent(
      { attempts: [attempt("a1", 1, 0), attempt("a2", 2, 20)] },
      received("a1", 200),
      received("a2", 200)
    )
  },
  "a key that was taken away is let in by nobody": {
    "one that is": { ...honest, letIn: ["a key"] }
  },
  "no process prints a secret, nor a stack trace but of a statement that the database gave up": {
    "a secret": said("the key is hush, they say"),
    "a stack trace": said("Error: no\n    at run (file:///main.ts:1:2)"),
    "a stack trace in JSON": said(logged("Error: no")),
    "a stack trace beside one that may be": said(`${logged("StatementTimeoutError: no")}\n${logged("Error: no")}`)
  },
  "no process ends but by us, and one that is asked to ends with 0": {
    "one that ended by itself": ended("by itself", 0),
    "one that did not drain": ended("drained", 1)
  }
}

describe.each(Object.entries(laws))("%s", (title, law) => {
  it("is kept by an honest history", () => {
    assert.deepEqual(law(honest), [])
  })
  it.each(Object.entries(tampered[title] ?? {}))("is broken by %s", (_, evidence) => {
    assert.isNotEmpty(law(evidence))
  })
  it("is broken by something", () => {
    assert.isNotEmpty(tampered[title])
  })
})
