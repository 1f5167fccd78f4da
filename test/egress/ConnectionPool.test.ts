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
import { type Connection, makeConnection } from "@sightline/egress/Connection"
import { ConnectionPool } from "@sightline/egress/ConnectionPool"
import { parsePublicUrl } from "@sightline/egress/PublicUrl"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const target = Result.getOrThrow(parsePublicUrl("https://hooks.acme.com/", () => false))
const connection = (address = "192.0.2.7"): Connection => makeConnection(new Socket(), address, target)

it("a receiver that closes connections has none kept for a minute", () => {
  const pool = new ConnectionPool()
  pool.avoid("one", connection())
  vi.advanceTimersByTime(59_999)
  // A second connection that it closes does not extend the minute.
  pool.avoid("one", connection())
  const [early, other, later] = [connection(), connection(), connection()]
  pool.keep("one", early)
  pool.keep("other", other)
  assert.deepStrictEqual([early.socket.destroyed, other.socket.destroyed], [true, false])
  assert.strictEqual(pool.take("other", ["192.0.2.7"]), other)
  vi.advanceTimersByTime(1)
  pool.keep("one", later)
  assert.isFalse(later.socket.destroyed)
  assert.strictEqual(pool.take("one", ["192.0.2.7"]), later)
})

it("a receiver that closed two in a minute is avoided for a minute after it closes another", () => {
  const pool = new ConnectionPool()
  pool.avoid("one", connection())
  vi.advanceTimersByTime(30_000)
  pool.avoid("one", connection())
  vi.advanceTimersByTime(50_000)
  pool.avoid("one", connection())
  vi.advanceTimersByTime(59_999)
  const next = connection()
  pool.keep("one", next)
  assert.isTrue(next.socket.destroyed)
})

it("an avoided receiver does not keep the process alive", () => {
  vi.useRealTimers()
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length
  const before = timers()
  new ConnectionPool().avoid("one", connection())
  assert.strictEqual(timers(), before)
})

it("each connection is handed out once, last in first out, for a matching address, unless it is closed", () => {
  const pool = new ConnectionPool()
  const [first, elsewhere, closed, last] = [connection(), connection("192.0.2.8"), connection(), connection()]
  for (const each of [first, elsewhere, closed, last]) pool.keep("one", each)
  closed.socket.destroy()
  const take = () => pool.take("one", ["192.0.2.7", "192.0.2.9"])
  // The others may be closed meanwhile.
  assert.deepStrictEqual([take(), take()], [last, first])
  assert.isUndefined(take())
  assert.strictEqual(pool.take("one", ["192.0.2.8"]), elsewhere)
})

it("forgetting a connection keeps the others", () => {
  const pool = new ConnectionPool()
  const [gone, kept] = [connection(), connection()]
  for (const each of [gone, kept]) pool.keep("one", each)
  pool.forget("one", gone)
  pool.forget("other", kept)
  assert.strictEqual(pool.take("one", ["192.0.2.7"]), kept)
  assert.isUndefined(pool.take("one", ["192.0.2.7"]))
})

it("a connection whose last request is four seconds ago is not handed out, however late its response was read", () => {
  const pool = new ConnectionPool()
  const [stale, fresh] = [connection(), connection()]
  vi.advanceTimersByTime(3999)
  fresh.requestedAt = performance.now()
  for (const each of [fresh, stale]) pool.keep("one", each)
  vi.advanceTimersByTime(1)
  assert.strictEqual(pool.take("one", ["192.0.2.7"]), fresh)
  assert.isUndefined(pool.take("one", ["192.0.2.7"]))
})

it("a receiver that closes an expired connection is not avoided", () => {
  const pool = new ConnectionPool()
  const [late, next] = [connection(), connection()]
  vi.advanceTimersByTime(4000)
  pool.avoid("one", late)
  pool.keep("one", next)
  assert.isFalse(next.socket.destroyed)
  next.requestedAt = performance.now()
  pool.avoid("one", next)
  const last = connection()
  pool.keep("one", last)
  assert.isTrue(last.socket.destroyed)
})
