import { assert } from "vitest"
import { AskAccepted, AskPending, ArchivedAsk } from "@sightline/contract/AskApi"
import { AskResult } from "@sightline/contract/AskResult"
import { InvalidRequest } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { type Answered, call, type Program } from "./program.ts"
import { waitUntil } from "./waiting.ts"

/** A response to an ask, with exactly the fields of the contract. */
export const decode = {
  result: exactly(AskResult),
  accepted: exactly(AskAccepted),
  pending: exactly(AskPending),
  archived: exactly(ArchivedAsk),
  invalid: exactly(InvalidRequest)
}

/** The fields that a 400 names. */
export const wrongFields = ({ status, text, body }: Answered): ReadonlyArray<string> => {
  assert.strictEqual(status, 400, text)
  return decode.invalid(body).error.details?.issues.map(({ path }) => path) ?? []
}

/** The calls of one customer to a program. */
export const asking = (program: Program, key: string) => {
  const ask = (body: object, headers = {}) => call(`${program.base}/v1/ask`, { key, body, headers })
  const find = (id: string) => call(`${program.base}/v1/ask/${id}`, { key })
  return {
    ask,
    find,
    /** The result of an ask with an immediate response. */
    answered: async (body: object) => {
      const answer = await ask(body)
      assert.strictEqual(answer.status, 200, answer.text)
      return decode.result(answer.body)
    },
    /** The acknowledgement of a queued ask. */
    queued: async (body: object, headers = {}) => {
      const answer = await ask(body, headers)
      assert.strictEqual(answer.status, 202, answer.text)
      return decode.accepted(answer.body)
    },
    /** The result of a queued ask, once it has ended. */
    finished: async (id: string, within = 60_000) => {
      await waitUntil(`${id} is over`, async () => "providers" in (await find(id)).body, { within })
      return decode.archived((await find(id)).body)
    },
    /** Registers a webhook endpoint and returns its id. */
    endpoint: async (more: object = {}): Promise<string> => {
      const { status, text, body } = await call(`${program.base}/v1/webhooks`, {
        key,
        body: { url: "https://93.184.216.34/in", ...more }
      })
      assert.strictEqual(status, 201, text)
      return body.webhook.id
    }
  }
}

interface Entry {
  readonly kind: string
  readonly amount_cents: number
}

/** The sum of the ledger entries of one kind. */
export const sumOf = (entries: ReadonlyArray<Entry>, kind: string): number =>
  Math.round(
    1000 * entries.filter((entry) => entry.kind === kind).reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  ) / 1000
