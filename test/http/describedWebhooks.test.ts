/**
 * The webhooks are described in `/openapi.json`: each event, with the headers and the body that a receiver gets.
 *
 * Planted and seen red: an event left out; a header left out, added, or with another format; a payload without one of its fields, or with
 * another type for one.
 */
import type { JsonSchema } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { WebhookEvent } from "@sightline/domain/Webhook"
import { asking } from "./asking.ts"
import { describing } from "./describing.ts"
import { call, customer, installation, type Program, startProgram } from "./program.ts"
import { waitFor } from "./waiting.ts"
import { receiving, startReceiver, watching } from "./watching.ts"

interface Described {
  readonly post: {
    readonly parameters: ReadonlyArray<{
      readonly name: string
      readonly in: string
      readonly required: boolean
      readonly schema: JsonSchema.JsonSchema
    }>
    readonly requestBody: {
      readonly content: { readonly "application/json": { readonly schema: JsonSchema.JsonSchema } }
    }
    readonly responses: object
  }
}

let program: Program
let receivers: Awaited<ReturnType<typeof startReceiver>>
let key: string
let description: {
  readonly webhooks: Readonly<Record<string, Described>>
  readonly components: { readonly schemas: JsonSchema.Definitions }
}
beforeAll(async () => {
  const env = await installation()
  receivers = await startReceiver()
  program = await startProgram({ ...env, ...receiving })
  ;({ key } = await customer(program, env.ADMIN_TOKEN))
  description = (await call(`${program.base}/openapi.json`)).body
})
afterAll(async () => {
  await program.stop()
  receivers.stop()
})

type Receiver = ReturnType<typeof receivers.next>

/** Causes each event to be sent to a receiver. */
const cause: Readonly<Record<WebhookEvent, (receiver: Receiver) => Promise<unknown>>> = {
  "ask.completed": async ({ url }) => {
    const api = asking(program, key)
    return api.queued({ prompt: "best shoes [[sandbox:answer]]", async: true, webhook_id: await api.endpoint({ url }) })
  },
  "watch.fired": async ({ url: webhook_url }) => {
    const api = watching(program, key)
    return api.run((await api.create({ webhook_url })).id)
  }
}

it("describes every event and no other", () => {
  assert.sameMembers(Object.keys(description.webhooks), [...WebhookEvent.literals])
})

it.each(WebhookEvent.literals)("describes the headers and the body of %s", async (event) => {
  const receiver = receivers.next()
  await cause[event](receiver)
  const { body, headers } = await waitFor("the delivery", async () => receiver.received()[0])
  const isDescribed = describing(description.components.schemas)
  const { parameters, requestBody, responses } = description.webhooks[event]?.post ?? assert.fail("not described")
  assert.sameMembers(
    parameters.map(({ name }) => name),
    Object.keys(headers).filter((name) => name.startsWith("x-"))
  )
  for (const { in: place, name, required, schema } of parameters) {
    assert.deepStrictEqual([place, required], ["header", true])
    assert.isTrue(isDescribed(schema)(headers[name]), name)
  }
  const isPayload = isDescribed(requestBody.content["application/json"].schema)
  const payload = JSON.parse(body)
  assert.isTrue(isPayload(payload))
  assert.isFalse(isPayload({ ...payload, more: 1 }))
  assert.hasAllKeys(responses, ["2XX", "default"])
})
