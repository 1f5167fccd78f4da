import { createHmac } from "node:crypto"
import { by, type Law } from "./moneyLaws.ts"
import { brandOf, webhookSecret } from "./requests.ts"
import { retryMillis } from "./service.ts"

/** Each ask or run with an event has one delivery, and each delivery at most three attempts, with one request each. */
export const deliveriesOnce: Law = ({ attempts, deliveries, records, runs }, { received, wishes }) => {
  const begun = by(attempts, ({ delivery }) => delivery)
  const causes = by(deliveries, ({ cause }) => cause)
  const requests = by(received, ({ headers }) => headers["x-svc-delivery-id"] ?? "")
  const known = new Set(attempts.map(({ id }) => id))
  const bodies = (id: string) =>
    new Set((begun.get(id) ?? []).flatMap((attempt) => (requests.get(attempt.id) ?? []).map(({ body }) => body)))
  const answered = (id: string) =>
    (begun.get(id) ?? []).flatMap((attempt) => (requests.get(attempt.id) ?? []).map(({ status }) => status))
  const jobs = new Set(wishes.flatMap(({ kind, n }) => (kind === "job" ? [brandOf(n)] : [])))
  return [
    ...records.flatMap(({ brand, id, isDone }) =>
      jobs.has(brand) && isDone !== causes.has(id)
        ? [`the ask for ${brand} is over and not told, or told and not over`]
        : []
    ),
    ...Array.from(requests, ([id, sent]) =>
      known.has(id)
        ? sent.length > 1
          ? [`attempt ${id} was made ${sent.length} times`]
          : []
        : [`request ${id} has no row`]
    ).flat(),
    ...Array.from(causes, ([cause, made]) =>
      made.length > 1 ? [`${cause} is told of ${made.length} times`] : []
    ).flat(),
    ...deliveries.flatMap(({ id, attempts: count, status }) => [
      ...((begun.get(id) ?? []).length === count && count <= 3
        ? []
        : [`delivery ${id} has lost count of its attempts`]),
      ...(status === "failed" && count < 3 ? [`delivery ${id} was given up too early`] : []),
      ...(bodies(id).size <= 1 ? [] : [`delivery ${id} says different things`]),
      ...(status === "delivered" && !answered(id).includes(200) ? [`delivery ${id} never arrived`] : [])
    ]),
    ...runs.flatMap(({ id, isDone, status, triggers }) =>
      isDone && status === "completed" && triggers.length > 0 !== causes.has(id)
        ? [`run ${id} fired and is not told, or is and did not`]
        : []
    )
  ]
}

/** The maximum duration of an attempt; one whose end is written later has been counted as lost. */
const attemptMillis = 10_000

const hmacOf = (text: string) => createHmac("sha256", webhookSecret).update(text).digest("hex")

/** A request is signed and matches its cause; the next one comes only after its retry delay. */
export const deliveriesTrue: Law = ({ attempts, charges, deliveries, records, runs }, { received }) => {
  const begun = new Map(attempts.map((attempt) => [attempt.id, attempt]))
  const causes = new Map(deliveries.map(({ cause, id }) => [id, cause]))
  const paid = new Map(charges.map(({ amount, id }) => [id, amount]))
  const numbered = new Map(attempts.map((attempt) => [`${attempt.delivery} ${attempt.number}`, attempt]))
  const isTrue = (text: string, cause: string | undefined): boolean => {
    const { data, run_id, triggers_fired } = JSON.parse(text)
    const ask = records.find(({ id, isDone }) => isDone && id === cause)
    if (ask !== undefined)
      return data.id === cause && BigInt(Math.round(data.usage.cost_cents * 1000)) === paid.get(ask.charge)
    return (
      run_id === cause && runs.some(({ id, triggers }) => id === cause && triggers.join() === triggers_fired.join())
    )
  }
  return [
    ...received.flatMap(({ body, headers }) => {
      const id = headers["x-svc-delivery-id"] ?? ""
      const stamp = headers["x-svc-timestamp"]
      return [
        ...(isTrue(body, causes.get(begun.get(id)?.delivery ?? "")) ? [] : [`attempt ${id} says what is not so`]),
        ...(headers["x-svc-signature"] === hmacOf(body) &&
        headers["x-svc-signature-legacy"] === `t=${stamp},v1=${hmacOf(`${stamp}.${body}`)}`
          ? []
          : [`attempt ${id} is not signed`])
      ]
    }),
    ...attempts.flatMap(({ delivery, duration, error, number }) =>
      duration === null && error === null ? [`attempt ${number} of ${delivery} has no end`] : []
    ),
    ...attempts.flatMap(({ begun: at, delivery, number }) => {
      const last = numbered.get(`${delivery} ${number - 1}`)
      const pause = retryMillis[number - 2] ?? 0
      return last === undefined ||
        at.getTime() - last.begun.getTime() - Math.min(last.duration ?? attemptMillis, attemptMillis) >= pause
        ? []
        : [`attempt ${number} of ${delivery} came too early`]
    })
  ]
}

/** How long an attempt without an end counts as under way. */
const leaseMillis = 30_000

/** No receiver is sent more than ten deliveries at a time, by all senders together. */
export const tenAtATime: Law = ({ attempts, deliveries }) => {
  const receivers = new Map(deliveries.map(({ id, receiver }) => [id, receiver]))
  return Array.from(
    by(attempts, ({ delivery }) => receivers.get(delivery)),
    ([receiver, own]) => {
      const spans = own.map(({ begun, duration }) => [
        begun.getTime(),
        begun.getTime() + Math.min(duration ?? leaseMillis, leaseMillis)
      ])
      const most = Math.max(
        ...spans.map(([at = 0]) => spans.filter(([from = 0, to = 0]) => from <= at && at < to).length)
      )
      return most <= 10 ? [] : [`receiver ${receiver} was sent ${most} deliveries at a time`]
    }
  ).flat()
}
