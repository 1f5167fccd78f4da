import type { Books, Evidence, Invocation } from "./history.ts"

/** The breaches of a law, in words; none if it was kept. */
type Law = (evidence: Evidence) => ReadonlyArray<string>

/** Money as whole numbers. */
const milli = (cents: number) => Math.round(cents * 1000)
const sumOf = (amounts: ReadonlyArray<number>) => amounts.reduce((sum, amount) => sum + amount, 0)

const answersOf = (history: ReadonlyArray<Invocation>) =>
  history.flatMap(({ outcome, ...call }) => (outcome === "unknown" ? [] : [{ ...call, ...outcome }]))

const accepted = (status: number) => status === 200 || status === 202

/** The accepted answers of one account's checks, asks or runs, parsed, each once. */
const acceptedOf = ({ history }: Evidence, account: string, kind: Invocation["kind"]) => {
  const texts = answersOf(history)
    .filter((one) => one.account === account && one.kind === kind && accepted(one.status))
    .map(({ text }) => text)
  return [...new Set(texts)].map((text) => JSON.parse(text))
}

const bySubject = ({ history }: Evidence) => Map.groupBy(history, ({ kind, subject }) => `${kind} ${subject}`)

/** The faults that are present. */
const broken = (...faults: ReadonlyArray<readonly [isSo: boolean, what: string]>): ReadonlyArray<string> =>
  faults.flatMap(([isSo, what]) => (isSo ? [what] : []))

const each = (evidence: Evidence, judge: (books: Books) => ReadonlyArray<string>) =>
  evidence.books.flatMap((books) => judge(books).map((breach) => `account ${books.account}: ${breach}`))

/** The items of the first list that are missing in the second, counted with their repetitions. */
const surplus = <A>(these: ReadonlyArray<A>, those: ReadonlyArray<A>): ReadonlyArray<A> => {
  const left = new Map<A, number>()
  for (const one of those) left.set(one, (left.get(one) ?? 0) + 1)
  return these.filter((one) => {
    const count = left.get(one) ?? 0
    left.set(one, count - 1)
    return count <= 0
  })
}

const differing = <A>(what: string, told: ReadonlyArray<A>, found: ReadonlyArray<A>): ReadonlyArray<string> => [
  ...surplus(told, found).map((one) => `${what} ${String(one)} is told of and not there`),
  ...surplus(found, told).map((one) => `${what} ${String(one)} is there and nobody was told of it`)
]

const answered: Law = (evidence) => [
  ...[...bySubject(evidence)]
    .filter(
      ([subject, calls]) => !subject.startsWith("run ") && !answersOf(calls).some(({ status }) => accepted(status))
    )
    .map(([subject]) => `${subject} never had an answer`),
  ...answersOf(evidence.history)
    .filter(({ status }) => !accepted(status) && status !== 409)
    .map(({ kind, status, subject, text }) => `${kind} ${subject} was answered ${status}: ${text.slice(0, 300)}`)
]

const finished: Law = (evidence) =>
  each(evidence, ({ account, asks, deliveries, runs }) => [
    ...acceptedOf(evidence, account, "ask")
      .filter(({ ask_id }) => !asks.some(({ id }) => id === ask_id))
      .map(({ ask_id }) => `ask ${ask_id} is gone`),
    ...acceptedOf(evidence, account, "run")
      .filter(({ run_id }) => !runs.some(({ id }) => id === run_id))
      .map(({ run_id }) => `run ${run_id} is gone`),
    ...asks.filter((ask) => !("usage" in ask)).map(({ id, status }) => `ask ${id} is ${status}`),
    ...runs.filter(({ finished_at }) => finished_at === null).map(({ id, status }) => `run ${id} is ${status}`),
    ...deliveries.filter(({ status }) => status === "pending").map(({ id }) => `delivery ${id} is pending`)
  ])

const oneAnswer: Law = (evidence) =>
  [...bySubject(evidence)]
    .filter(([subject]) => !subject.startsWith("run "))
    .flatMap(([subject, calls]) => {
      const answers = answersOf(calls).filter(({ status }) => accepted(status))
      const texts = new Set(answers.map(({ status, text }) => `${status} ${text}`))
      const firsts = answers.filter(({ isReplay }) => !isReplay)
      return broken(
        [texts.size > 1, `${subject} has ${texts.size} answers`],
        [firsts.length > 1, `${subject} was done ${firsts.length} times`],
        [firsts.length === answers.length, `${subject} was never replayed`]
      )
    })

const costs: Law = (evidence) =>
  each(evidence, ({ account, asks, charges, runs }) => {
    const told = {
      ask: asks.map((ask) => ("usage" in ask ? ask.usage.cost_cents : 0)),
      check: [...acceptedOf(evidence, account, "check"), ...runs].map(({ cost_cents }) => Number(cost_cents))
    }
    const amounts = (cents: ReadonlyArray<number>) => cents.map(milli).filter((amount) => amount !== 0)
    return (["ask", "check"] as const).flatMap((kind) => {
      const charged = charges.filter(({ endpoint }) => endpoint === kind).map(({ charged_cents }) => charged_cents ?? 0)
      return differing(`${kind} for millicents`, amounts(told[kind]), amounts(charged))
    })
  })

const once: Law = (evidence) =>
  each(evidence, ({ account, asks, charges, checks, runs }) => {
    const answers = acceptedOf(evidence, account, "check").map(({ id }) => String(id))
    const ran = runs.flatMap(({ check_id }) => (check_id === null ? [] : [check_id]))
    const ordered = charges.filter(({ endpoint }) => endpoint === "ask").length
    return [
      ...differing(
        "check",
        [...answers, ...ran],
        checks.map(({ id }) => id)
      ),
      ...(ordered === asks.length ? [] : [`${asks.length} asks were ordered ${ordered} times`]),
      ...runs
        .filter(({ check_id, status }) => status === "completed" && check_id === null)
        .map(({ id }) => `run ${id} is done without a check`)
    ]
  })

const amountOf = (entries: Books["entries"], ...kinds: ReadonlyArray<string>) =>
  sumOf(entries.filter(({ kind }) => kinds.includes(kind)).map((one) => milli(one.amount_cents)))

const holds: Law = (evidence) =>
  each(evidence, ({ charges, entries }) => {
    const moved = Map.groupBy(entries, ({ charge_id }) => charge_id)
    return charges.flatMap(({ charged_cents, id, state }) => {
      const own = moved.get(id) ?? []
      const [kept, back] = [amountOf(own, "capture", "charge"), amountOf(own, "release")]
      return broken(
        [state === "held", `charge ${id} is still held`],
        [kept !== milli(charged_cents ?? 0), `charge ${id} says ${charged_cents} and kept ${kept} millicents`],
        [
          state !== "held" && amountOf(own, "hold", "charge") !== kept + back,
          `charge ${id} did not give back what it did not keep`
        ],
        [state === "voided" && kept !== 0, `charge ${id} is voided and kept ${kept} millicents`]
      )
    })
  })

const balance: Law = (evidence) =>
  each(evidence, ({ entries, wallet }) => {
    const due = amountOf(entries, "topup") - amountOf(entries, "capture", "charge")
    return broken(
      [milli(wallet.balance_cents) !== due, `has ${wallet.balance_cents} cents, not ${due} millicents`],
      [wallet.held_cents !== 0, `${wallet.held_cents} cents are still held`]
    )
  })

const audited: Law = ({ audit }) => (audit.ok ? [] : audit.differences.map((difference) => JSON.stringify(difference)))

const told: Law = (evidence) =>
  each(evidence, ({ asks, deliveries, runs }) => [
    ...differing(
      "the delivery of ask",
      asks.map(({ id }) => id),
      deliveries.flatMap(({ ask_id }) => ask_id ?? [])
    ),
    ...differing(
      "the delivery of run",
      runs.filter(({ triggers_fired }) => triggers_fired.length > 0).map(({ id }) => id),
      deliveries.flatMap(({ run_id }) => run_id ?? [])
    )
  ])

/** The lease of an attempt. A sender that sleeps longer may still get its answer after another has made the next attempt. */
const leaseMillis = 30_000

const delivered: Law = ({ books, received }) => {
  const requests = Map.groupBy(received, ({ attempt }) => attempt)
  const deliveries = books.flatMap((one) => one.deliveries)
  const known = new Set(deliveries.flatMap(({ attempts }) => attempts.map(({ delivery_id }) => delivery_id)))
  const isTaken = (attempt: string) => requests.get(attempt)?.some(({ status }) => status === 200) ?? false
  const strays = [...requests].flatMap(([id, made]) =>
    broken([!known.has(id), `request ${id} has no attempt`], [made.length > 1, `attempt ${id} was sent more than once`])
  )
  const judged = deliveries.flatMap(({ attempts, id, status }) => {
    const arrived = attempts.flatMap(({ delivery_id }) => requests.get(delivery_id) ?? [])
    const bytes = new Set(arrived.map(({ body }) => body))
    const good = attempts.filter(({ error }) => error === undefined)
    const since = attempts.map((next) => Date.parse(next.started_at) - Date.parse(good[0]?.started_at ?? ""))
    return broken(
      [attempts.length > 3, `delivery ${id} has ${attempts.length} attempts`],
      [bytes.size > 1, `delivery ${id} changed its bytes`],
      [status === "delivered" && good.length === 0, `delivery ${id} is delivered by no attempt`],
      [status === "failed" && attempts.length < 3, `delivery ${id} failed too early`],
      [since.some((millis) => millis > 0 && millis < leaseMillis), `delivery ${id} was sent again while it succeeded`],
      [good.some(({ delivery_id }) => !isTaken(delivery_id)), `delivery ${id} was delivered to nobody`]
    )
  })
  return [...strays, ...judged]
}

const revoked: Law = ({ letIn }) => letIn.map((key) => `key ${key.slice(-6)} was taken away and is let in`)

const stackFrame = /(?:\\n|\n)\s+at [^\n]{0,200}?:\d+:\d+\)?/

/** A process that stalls in a transaction blocks others until their statements, and in the end its own, time out. */
const givenUp = /StatementTimeoutError|ConnectionError/

const discreet: Law = ({ processes, secrets }) =>
  processes.flatMap(({ name, output }) => {
    const printed = secrets.filter((secret) => output.includes(secret))
    const traced = output.split("\n{").find((entry) => stackFrame.test(entry) && !givenUp.test(entry))
    return broken(
      [printed.length > 0, `${name} printed ${printed.length} secrets`],
      [traced !== undefined, `${name} printed a stack trace: ${traced?.slice(0, 2000)}`]
    )
  })

const steady: Law = ({ processes }) =>
  processes.flatMap(({ code, ended, name, output }) => {
    if (ended === "by itself") return [`${name} ended by itself with ${code}: ${output.slice(-600)}`]
    return ended === "drained" && code !== 0 ? [`${name} was asked to end and did with ${code}`] : []
  })

/**
 * The laws that hold after a storm, whatever died in it. Each law reads only the evidence: what callers and receivers saw, and
 * what the service reports of itself over HTTP.
 */
export const laws: Readonly<Record<string, Law>> = {
  "every key has an answer, and no call is refused": answered,
  "everything that was accepted is finished": finished,
  "a key has one answer, which its replays repeat byte for byte": oneAnswer,
  "what answers cost is what was charged, amount by amount": costs,
  "no check, ask or run is done twice": once,
  "a hold is kept or given back, and none is left": holds,
  "balance = top-ups - charges, and nothing is held": balance,
  "the auditor finds no difference": audited,
  "whatever has to be told has one delivery": told,
  "every request has its attempt, a delivery has at most 3 and its end": delivered,
  "a key that was taken away is let in by nobody": revoked,
  "no process prints a secret, nor a stack trace but of a statement that the database gave up": discreet,
  "no process ends but by us, and one that is asked to ends with 0": steady
}
