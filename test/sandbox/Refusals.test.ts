/**
 * Requests that a vendor refuses, each in that vendor's words.
 *
 * Planted and seen red: an empty key is accepted; unknown fields are ignored; the table of temperatures is inverted; the API version
 * is inverted.
 */
import { assert, layer } from "@effect/vitest"
import { shippedModels } from "@sightline/domain/Model"
import { Effect } from "effect"
import { Origin } from "./Origin.ts"
import { names, requestTo, wires } from "./Vendors.ts"

type Vendor = (typeof names)[number]
type Case = readonly [
  title: string,
  vendor: Vendor,
  over: Readonly<Record<string, unknown>> | string,
  status: number,
  says: object
]

const question = "best crm"
const openAiError = (message: string, param: string | null, code: string | null) => ({
  error: { message, type: "invalid_request_error", param, code }
})

const cases: ReadonlyArray<Case> = [
  [
    "openai: an unknown field",
    "openai",
    { nope: 1 },
    400,
    openAiError("Unknown parameter: 'nope'.", "nope", "unknown_parameter")
  ],
  [
    "openai: no model",
    "openai",
    { model: undefined },
    400,
    openAiError("Missing required parameter: 'model'.", "model", "missing_required_parameter")
  ],
  [
    "openai: an unknown model",
    "openai",
    { model: "gpt-nope" },
    404,
    openAiError("The model `gpt-nope` does not exist or you do not have access to it.", null, "model_not_found")
  ],
  [
    "openai: temperature on a reasoning model",
    "openai",
    { temperature: 0.2 },
    400,
    openAiError(
      "Unsupported parameter: 'temperature' is not supported with this model.",
      "temperature",
      "unsupported_parameter"
    )
  ],
  [
    "openai: a forced search without tools",
    "openai",
    { tools: [] },
    400,
    openAiError("Tool choice 'required' must be specified with 'tools' parameter.", "tool_choice", null)
  ],
  [
    "openai: a body that is no JSON",
    "openai",
    "{",
    400,
    openAiError("We could not parse the JSON body of your request.", null, null)
  ],
  [
    "anthropic: an unknown field",
    "anthropic",
    { nope: 1 },
    400,
    { type: "error", error: { type: "invalid_request_error", message: "nope: Extra inputs are not permitted" } }
  ],
  [
    "anthropic: no max_tokens",
    "anthropic",
    { max_tokens: undefined },
    400,
    { error: { type: "invalid_request_error", message: "max_tokens: Field required" } }
  ],
  [
    "anthropic: temperature under the current version",
    "anthropic",
    { temperature: 0.2 },
    400,
    { error: { message: "temperature: Extra inputs are not permitted" } }
  ],
  [
    "anthropic: a tool forced on a model that cannot be",
    "anthropic",
    { tool_choice: { type: "any" } },
    400,
    { error: { type: "invalid_request_error" } }
  ],
  [
    "anthropic: thinking switched off on a model that always thinks",
    "anthropic",
    { thinking: { type: "disabled" } },
    400,
    { error: { type: "invalid_request_error" } }
  ],
  [
    "anthropic: an unknown model",
    "anthropic",
    { model: "claude-nope" },
    404,
    { error: { type: "not_found_error", message: "model: claude-nope" } }
  ],
  [
    "gemini: an unknown field",
    "gemini",
    { nope: 1 },
    400,
    {
      error: {
        code: 400,
        status: "INVALID_ARGUMENT",
        message: 'Invalid JSON payload received. Unknown name "nope": Cannot find field.'
      }
    }
  ],
  [
    "gemini: a role nobody has",
    "gemini",
    { contents: [{ role: "assistant", parts: [{ text: "x" }] }] },
    400,
    { error: { status: "INVALID_ARGUMENT", details: [{ fieldViolations: [{ field: "contents[0].role" }] }] } }
  ],
  [
    "gemini: a temperature above 2",
    "gemini",
    { generationConfig: { temperature: 3 } },
    400,
    { error: { status: "INVALID_ARGUMENT" } }
  ],
  [
    "perplexity: an unknown field",
    "perplexity",
    { web_search_options: {} },
    400,
    {
      error: {
        message: 'invalid request body: json: unknown field "web_search_options"',
        type: "invalid_request",
        code: 400,
        param: "web_search_options"
      }
    }
  ],
  [
    "perplexity: an unknown model",
    "perplexity",
    { model: "sonar-nope" },
    400,
    { error: { message: "Invalid model: sonar-nope", type: "invalid_model", code: 400 } }
  ],
  [
    "perplexity: fewer than 16 tokens",
    "perplexity",
    { max_output_tokens: 15 },
    400,
    { error: { type: "invalid_parameter", param: "max_output_tokens" } }
  ],
  ...names.map((vendor): Case => [
    `${vendor}: an unknown directive`,
    vendor,
    wires[vendor].body("best crm [[sandbox:stauts=500]]"),
    400,
    { error: { message: "Unknown sandbox directive: stauts=500" } }
  ])
]

const keyless: Readonly<Record<Vendor, readonly [status: number, says: object]>> = {
  openai: [401, { error: { code: "invalid_api_key" } }],
  anthropic: [401, { type: "error", error: { type: "authentication_error" } }],
  gemini: [400, { error: { status: "INVALID_ARGUMENT", details: [{ reason: "API_KEY_INVALID" }] } }],
  perplexity: [401, { error: { type: "invalid_api_key", code: 401 } }]
}

const sent = (request: Request) =>
  Effect.promise(async () => {
    const response = await fetch(request)
    const body: unknown = await response.json()
    return { status: response.status, body }
  })

layer(Origin.layer({ seed: 1 }), { excludeTestServices: true })("a refusal", (it) => {
  for (const [title, vendor, over, status, says] of cases) {
    it.effect(`${status}: ${title}`, () =>
      Effect.gen(function* () {
        const reply = yield* sent(requestTo(yield* Origin, vendor, question, over))
        assert.strictEqual(reply.status, status)
        assert.containSubset(reply.body, says)
      })
    )
  }

  it.effect.each(names)("%s refuses a request without a key, or with an empty one", (vendor) =>
    Effect.gen(function* () {
      const origin = yield* Origin
      const [status, says] = keyless[vendor]
      for (const key of [undefined, "", "Bearer "]) {
        const request = requestTo(origin, vendor, question)
        for (const name of ["authorization", "x-api-key", "x-goog-api-key"]) {
          request.headers.delete(name)
          if (key !== undefined && (name === "authorization" || key === "")) request.headers.set(name, key)
        }
        const reply = yield* sent(request)
        assert.strictEqual(reply.status, status)
        assert.containSubset(reply.body, says)
      }
    })
  )

  it.effect("a temperature is accepted where its model takes one", () =>
    Effect.gen(function* () {
      const origin = yield* Origin
      const old = requestTo(origin, "anthropic", question, {
        model: "claude-sonnet-4-6",
        thinking: { type: "disabled" },
        temperature: 0.2
      })
      old.headers.set("anthropic-version", "2023-06-01")
      const takers = [
        requestTo(origin, "openai", question, { model: "gpt-4.1", temperature: 0.2 }),
        requestTo(origin, "openai", question, { model: "gpt-5.4", reasoning: { effort: "none" }, temperature: 0.2 }),
        old,
        requestTo(origin, "gemini", question, { generationConfig: { temperature: 0.2 } }),
        requestTo(origin, "perplexity", question, { temperature: 0.2 })
      ]
      for (const request of takers) assert.strictEqual((yield* sent(request)).status, 200)
    })
  )

  it.effect.each(["openai", "anthropic", "gemini", "perplexity"] as const)(
    "%s has no model with the name of a built-in property of objects",
    (vendor) =>
      Effect.gen(function* () {
        const plain = requestTo(yield* Origin, vendor, question, vendor === "gemini" ? {} : { model: "constructor" })
        const request =
          vendor === "gemini" ? new Request(plain.url.replace("gemini-3.8-flash", "constructor"), plain) : plain
        assert.isTrue([400, 404].includes((yield* sent(request)).status))
      })
  )

  it.effect("400: anthropic requires its version header", () =>
    Effect.gen(function* () {
      const request = requestTo(yield* Origin, "anthropic", question)
      request.headers.delete("anthropic-version")
      const reply = yield* sent(request)
      assert.strictEqual(reply.status, 400)
      assert.containSubset(reply.body, { error: { message: "anthropic-version: header is required" } })
    })
  )

  it.effect("every model that customers may name exists at its vendor", () =>
    Effect.gen(function* () {
      const origin = yield* Origin
      const vendors = {
        chatgpt_api: "openai",
        claude_api: "anthropic",
        gemini_api: "gemini",
        perplexity_api: "perplexity"
      } as const
      const unknown: Array<string> = []
      for (const { id, platform } of shippedModels) {
        const vendor = vendors[platform]
        const plain = requestTo(origin, vendor, question, vendor === "gemini" ? {} : { model: id })
        const request = vendor === "gemini" ? new Request(plain.url.replace("gemini-3.8-flash", id), plain) : plain
        const reply = yield* sent(request)
        if (reply.status !== 200) unknown.push(id)
      }
      assert.deepEqual(unknown, [])
    })
  )
})
