/**
 * Pipelined requests: a client sends them one after another without waiting for the responses.
 *
 * Planted and seen red: no limit, so that each of them is held in memory; a limit one lower; a limit on all requests that a connection ever
 * sends.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import { connect } from "node:net"
import { afterEach, assert, it } from "vitest"
import { served } from "./served.ts"
import { waitUntil } from "./waiting.ts"

const most = 256

const waiting: Array<() => void> = []
const letAllGo = () => {
  for (const letGo of waiting.splice(0)) letGo()
}
afterEach(letAllGo)

const held = Effect.callback<HttpServerResponse.HttpServerResponse>((resume) => {
  waiting.push(() => resume(Effect.succeed(HttpServerResponse.text("held"))))
})

const base = served(HttpRouter.add("GET", "/held", held))

const request = "GET /held HTTP/1.1\r\nHost: h\r\n\r\n"

const open = () => {
  let text = ""
  const socket = connect(Number(base().port), base().hostname)
  socket.on("error", () => undefined).on("data", (piece) => (text += piece.toString()))
  return { socket, answers: () => text.split("HTTP/1.1 200").length - 1 }
}

it(`a connection may have ${most} unanswered requests at once, any number of times`, async () => {
  const { socket, answers } = open()
  for (const round of [1, 2]) {
    socket.write(request.repeat(most))
    await waitUntil("all under way", () => waiting.length === most)
    letAllGo()
    await waitUntil("all answered", () => answers() === round * most)
  }
  assert.strictEqual(answers(), 2 * most)
  socket.destroy()
})

it("a connection with more unanswered requests is closed", async () => {
  const { socket, answers } = open()
  socket.write(request.repeat(most + 1))
  await once(socket, "close")
  assert.strictEqual(answers(), 0)
})
