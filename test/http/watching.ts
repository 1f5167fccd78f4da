import type { IncomingHttpHeaders } from "node:http"
import { createServer } from "node:https"
import { assert } from "vitest"
import { RunList, RunStarted, WatchList, WatchState } from "@sightline/contract/WatchApi"
import { exactly } from "../services/exactly.ts"
import { call, type Program } from "./program.ts"
import { waitFor } from "./waiting.ts"
import { certificatePath, home, identity } from "../engine/receivers.ts"
import { listen } from "../services/listen.ts"

/** The responses of `/v1/watch`, with exactly the fields of the contract. */
export const decode = {
  state: exactly(WatchState),
  list: exactly(WatchList),
  runs: exactly(RunList),
  started: exactly(RunStarted)
}

export const secret = "a secret of a watch"

/** A valid watch. Its receiver is a public address, so no test may let it fire. */
export const wishes = {
  query: "best crm [[sandbox:answer]]",
  brand: "HubSpot",
  mode: "quick",
  interval: "hourly",
  webhook_url: "https://93.184.216.34/in",
  webhook_secret: secret
}

/** Triggers that cannot fire on a first run. */
export const silent = ["mention_removed", "rank_changed", "citation_changed"]

/** Waits until no slot begins for 40 s. Slots begin at multiples of five minutes, and watches become due then. */
export const awayFromSlots = (): Promise<true> =>
  waitFor("time between two slots", async () => ((Date.now() / 1000) % 300 < 260 ? true : undefined))

/** The calls of one customer key to the watch routes. */
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
    /** Runs a watch now and waits until the run has ended. */
    run: async (id: string) => {
      const answer = await send("POST", `/${id}/run`)
      assert.strictEqual(answer.status, 202, answer.text)
      return ended(id, decode.started(answer.body).run_id)
    }
  }
}

/** Settings that let a program call local receivers, with short retry delays. */
export const receiving = {
  DELIVERY_ALLOW_CIDRS: "127.9.0.0/16",
  DELIVERY_RETRY_DELAYS: "100ms,200ms",
  NODE_EXTRA_CA_CERTS: certificatePath
}

/** A receiver of webhooks on a loopback address; each of its paths acts as one receiver. */
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
    /** A receiver for one test: its URL, what it has received, and whether it fails. */
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
