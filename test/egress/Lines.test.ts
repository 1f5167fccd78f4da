/**
 * Which idle connections are kept, and for how long a receiver has none.
 *
 * Planted and seen red:
 * - a receiver avoided for ever, or not at all;
 * - a connection that is not kept left open;
 * - a closed connection handed out, or one that its receiver may be closing;
 * - a receiver avoided because it closed an expired connection;
 * - other connections forgotten or handed out with one;
 * - the oldest connection handed out first;
 * - an avoidance shortened by an earlier one;
 * - a timer that keeps its process alive.
 */
import { Result } from "effect"
import { Socket } from "node:net"
import { afterEach, assert, beforeEach, it, vi } from "vitest"
import { type Line, lineOver } from "@sightline/egress/Line"
import { Lines } from "@sightline/egress/Lines"
import { parsePublicUrl } from "@sightline/egress/PublicUrl"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const target = Result.getOrThrow(parsePublicUrl("https://hooks.acme.com/", () => false))
const line = (address = "192.0.2.7"): Line => lineOver(new Socket(), address, target)

it("a receiver that closes connections has none kept for a minute", () => {
  const lines = new Lines()
  lines.avoid("one", line())
  vi.advanceTimersByTime(59_999)
  // A second connection that it closes does not extend the minute.
  lines.avoid("one", line())
  const [early, other, later] = [line(), line(), line()]
  lines.keep("one", early)
  lines.keep("other", other)
  assert.deepStrictEqual([early.socket.destroyed, other.socket.destroyed], [true, false])
  assert.strictEqual(lines.take("other", ["192.0.2.7"]), other)
  vi.advanceTimersByTime(1)
  lines.keep("one", later)
  assert.isFalse(later.socket.destroyed)
  assert.strictEqual(lines.take("one", ["192.0.2.7"]), later)
})

it("a receiver that closed two in a minute is avoided for a minute after it closes another", () => {
  const lines = new Lines()
  lines.avoid("one", line())
  vi.advanceTimersByTime(30_000)
  lines.avoid("one", line())
  vi.advanceTimersByTime(50_000)
  lines.avoid("one", line())
  vi.advanceTimersByTime(59_999)
  const next = line()
  lines.keep("one", next)
  assert.isTrue(next.socket.destroyed)
})

it("an avoided receiver does not keep the process alive", () => {
  vi.useRealTimers()
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length
  const before = timers()
  new Lines().avoid("one", line())
  assert.strictEqual(timers(), before)
})

it("each connection is handed out once, last in first out, for a matching address, unless it is closed", () => {
  const lines = new Lines()
  const [first, elsewhere, closed, last] = [line(), line("192.0.2.8"), line(), line()]
  for (const each of [first, elsewhere, closed, last]) lines.keep("one", each)
  closed.socket.destroy()
  const take = () => lines.take("one", ["192.0.2.7", "192.0.2.9"])
  // The others may be closed meanwhile.
  assert.deepStrictEqual([take(), take()], [last, first])
  assert.isUndefined(take())
  assert.strictEqual(lines.take("one", ["192.0.2.8"]), elsewhere)
})

it("forgetting a connection keeps the others", () => {
  const lines = new Lines()
  const [gone, kept] = [line(), line()]
  for (const each of [gone, kept]) lines.keep("one", each)
  lines.forget("one", gone)
  lines.forget("other", kept)
  assert.strictEqual(lines.take("one", ["192.0.2.7"]), kept)
  assert.isUndefined(lines.take("one", ["192.0.2.7"]))
})

it("a connection whose last request is four seconds ago is not handed out, however late its response was read", () => {
  const lines = new Lines()
  const [stale, fresh] = [line(), line()]
  vi.advanceTimersByTime(3999)
  fresh.askedAt = performance.now()
  for (const each of [fresh, stale]) lines.keep("one", each)
  vi.advanceTimersByTime(1)
  assert.strictEqual(lines.take("one", ["192.0.2.7"]), fresh)
  assert.isUndefined(lines.take("one", ["192.0.2.7"]))
})

it("a receiver that closes an expired connection is not avoided", () => {
  const lines = new Lines()
  const [late, next] = [line(), line()]
  vi.advanceTimersByTime(4000)
  lines.avoid("one", late)
  lines.keep("one", next)
  assert.isFalse(next.socket.destroyed)
  next.askedAt = performance.now()
  lines.avoid("one", next)
  const last = line()
  lines.keep("one", last)
  assert.isTrue(last.socket.destroyed)
})
