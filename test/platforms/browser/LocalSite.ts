import { Deferred, Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { listen } from "../../services/listen.ts"

/** A local site, and the requests it has received. */
export interface LocalSite {
  readonly origin: string
  /** Method and path of every request, in order. */
  readonly asked: ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

type Reply = (request: IncomingMessage, response: ServerResponse) => void

/** Sends a page with the given script. */
export const html =
  (body: string, script = "", status = 200, headers: Readonly<Record<string, string>> = {}): Reply =>
  (_, response) => {
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers })
    response.end(`<!doctype html><title>page</title><body>${body}<script>${script}</script>`)
  }

/** A response that the test sends itself, and a signal that it was requested. */
export const held = () => {
  const asked = Deferred.makeUnsafe<ServerResponse>()
  const reply: Reply = (_, response) => void Deferred.doneUnsafe(asked, Effect.succeed(response))
  return { asked: Deferred.await(asked), reply }
}

/** Sends an event stream: each part follows the one before it after `every` milliseconds. */
export const events =
  (parts: ReadonlyArray<string>, every = 0): Reply =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    const [...left] = parts
    const next = () => {
      const part = left.shift()
      if (part === undefined) return void response.end()
      response.write(`data: ${part}\n\n`, () => setTimeout(next, every))
    }
    next()
  }

/** A script that reads `/stream` into the element `#answer`, as the real sites do. */
export const streaming = `
  const shown = document.querySelector("#answer")
  const read = async () => {
    const reader = (await fetch("/stream")).body.getReader()
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      shown.append(decoder.decode(value))
    }
  }
  read()`

/** Starts a site; a path without a reply gets 404. */
export const startSite = async (replies: Readonly<Record<string, Reply>>): Promise<LocalSite> => {
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    const { method = "", url = "" } = request
    asked.push(`${method} ${url}`)
    const reply = replies[new URL(url, "http://site").pathname]
    if (reply !== undefined) return reply(request, response)
    response.writeHead(404).end()
  })
  const port = await listen(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

/** A site that is closed with the scope. */
export const site = (replies: Readonly<Record<string, Reply>>) =>
  Effect.acquireRelease(
    Effect.promise(() => startSite(replies)),
    ({ stop }) => Effect.promise(stop)
  )
