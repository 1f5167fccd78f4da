import type { IncomingHttpHeaders } from "node:http"
import { createServer } from "node:https"
import { assert } from "vitest"
import { RunList, RunStarted, WatchList, WatchState } from "@sightline/contract/WatchApi"
import { exactly } from "../services/exactly.ts"
import { call, type Program } from "./program.ts"
import { waitFor } from "./waiting.ts"
import { certificatePath, home, identity } from "../engine/receivers.ts"
import { listen } from "../services/listen.ts"

/** The answers of `/v1/watch`, with no field more than the contract says. */
export const decode = {
  state: exactly(WatchState),
  list: exactly(WatchList),
  runs: exactly(RunList),
  started: exactly(RunStarted)
}

export const secret = "a secret of a watch"

/** A watch that can be created. Its receiver is public, so that nothing may fire on it in a test. */
export const wishes = {
  query: "best crm [[sandbox:answer]]",
  brand: "HubSpot",
  mode: "quick",
  interval: "hourly",
  webhook_url: "https://93.184.216.34/in",
  webhook_secret: secret
}

/** Triggers of which none can fire on a first run. */
export const silent = ["mention_removed", "rank_changed", "citation_changed"]

/** Waits until no slot begins for 40 s: they begin at whole five minutes, and what was not due would be due then. */
export const awayFromSlots = (): Promise<true> =>
  waitFor("time between two slots", async () => ((Date.now() / 1000) % 300 < 260 ? true : undefined))

/** What a customer's key does with watches. */
export const watching = (program: Program, key: string) => {
  const send = (method: string, path: string, body?: unknown) =>
    call(`${program.base}/v1/watch${path}`, { key, method, body })
  const runs = async (id: string) => {
    const answer = await send("GET", `/${id}/runs`)
    assert.strictEqual(answer.status, 200, answer.text)
    return decode.runs(answer.body).runs
  }
  const ended = (id: string, run: string) =>
    waitFor(`the end of run ${run}`, async () =>
      (await runs(id)).find((one) => one.id === run && one.finished_at !== null)
    )
  return {
    send,
    runs,
    ended,
    create: async (more: object = {}) => {
      const answer = await send("POST", "", { ...wishes, ...more })
      assert.strictEqual(answer.status, 201, answer.text)
      return decode.state(answer.body)
    },
    find: async (id: string) => decode.state((await send("GET", `/${id}`)).body),
    /** Runs a watch now and waits for the run's end. */
    run: async (id: string) => {
      const answer = await send("POST", `/${id}/run`)
      assert.strictEqual(answer.status, 202, answer.text)
      return ended(id, decode.started(answer.body).run_id)
    }
  }
}

/** Settings with which a program may send to receivers and retries at once. */
export const receiving = {
  DELIVERY_ALLOW_CIDRS: "127.9.0.0/16",
  DELIVERY_RETRY_DELAYS: "100ms,200ms",
  NODE_EXTRA_CA_CERTS: certificatePath
}

/** A receiver of webhooks on a loopback address; each of its paths is a receiver of its own. */
export const startReceiver = async () => {
  const received: Array<{ readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }> = []
  const failing = new Set<string>()
  const server = createServer(identity, (request, response) => {
    const chunks: Array<Buffer> = []
    const path = request.url ?? ""
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(failing.has(path) ? 503 : 200).end()
    })
  })
  const origin = `https://${home}:${await listen(server, home)}`
  let last = 0
  return {
    /** A receiver that nobody else has: its URL, what came to it, and whether it fails. */
    next: () => {
      const path = `/in/${++last}`
      return {
        url: `${origin}${path}`,
        received: () => received.filter((one) => one.path === path),
        fail: () => void failing.add(path),
        recover: () => void failing.delete(path)
      }
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
