/**
 * What each adapter does beyond the fixtures: refusals before any call, hostile and unexpected answers, continuation, redirects.
 *
 * Planted faults that turned this red:
 * - the temperature is silently dropped
 * - expired models are still found
 * - a turn is continued a third time
 * - only the last message of a turn is read
 * - any URL is resolved, or redirects have no time limit
 * - merged citations are kept twice
 * - unknown markers are removed
 * - a range is trusted without looking at its text
 * - an answer is not cut; half of a surrogate pair or U+0000 is kept, also in the model's name
 * - a citation with any scheme, or with a user name, is kept
 */
import { Effect, ManagedRuntime, Option, Result } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import type { Answer, Question } from "@sightline/domain/Answer"
import { ModelTable } from "@sightline/domain/Model"
import { LlmPlatform, type PlatformFailed } from "@sightline/domain/Platform"
import { captureWith, fixture, openVendor, question, quietClient, sending, serving, shaped } from "./LocalVendor.ts"

const client = ManagedRuntime.make(quietClient)
const capture = captureWith(client)
const vendor = await openVendor()

afterAll(async () => {
  await vendor.close()
  await client.dispose()
})

const codeOf = (outcome: Result.Result<Answer, PlatformFailed>) => Option.getOrThrow(Result.getFailure(outcome)).code
const answerOf = (outcome: Result.Result<Answer, PlatformFailed>) => Option.getOrThrow(Result.getSuccess(outcome))

type Change = (body: Record<string, unknown>) => void

/** A fixture's body, changed. */
const changed = (name: string, change: Change) => {
  const body = structuredClone(fixture(name).body ?? {})
  change(body)
  return sending(200, JSON.stringify(body))
}

const success: Readonly<Record<LlmPlatform, string>> = {
  chatgpt_api: "openai_grounded",
  claude_api: "anthropic_grounded",
  gemini_api: "gemini_grounded",
  perplexity_api: "perplexity_grounded"
}

const platforms = LlmPlatform.literals

describe("what fails before the vendor is asked", () => {
  it.each(platforms)("%s without a key is provider_auth_failed", async (platform) => {
    vendor.answer(serving(fixture(success[platform])))
    const outcome = await capture(platform, vendor.url, question(platform), { apiKey: Option.none() })
    assert.strictEqual(codeOf(outcome), "provider_auth_failed")
    assert.isEmpty(vendor.received)
  })

  it.each([
    ["chatgpt_api", "gpt-6.1-sol"],
    ["claude_api", "claude-sonnet-5-5"],
    ["gemini_api", "gemini-4-argon"]
  ] as const)("%s: a temperature that %s does not take is request_unsupported", async (platform, model) => {
    vendor.answer(serving(fixture(success[platform])))
    const outcome = await capture(platform, vendor.url, question(platform, { model, temperature: 0.7 }))
    assert.strictEqual(codeOf(outcome), "request_unsupported")
    assert.isEmpty(vendor.received)
  })

  it.each(platforms)("%s: a model outside the table is provider_auth_failed", async (platform) => {
    vendor.answer(serving(fixture(success[platform])))
    const outcome = await capture(platform, vendor.url, question(platform, { model: "nope" }))
    assert.strictEqual(codeOf(outcome), "provider_auth_failed")
    assert.isEmpty(vendor.received)
  })

  it("an expired model is refused like an unknown one", async () => {
    const models = ModelTable.make([
      ...(["chatgpt_api", "claude_api", "gemini_api", "perplexity_api"] as const).map((platform) => ({
        id: "default",
        platform,
        default: true,
        webSearch: true,
        forcedSearch: true,
        temperature: true
      })),
      {
        id: "gone",
        platform: "chatgpt_api",
        default: false,
        webSearch: true,
        forcedSearch: true,
        temperature: true,
        expiresAt: "2020-01-01"
      }
    ])
    const outcome = await capture("chatgpt_api", vendor.url, question("chatgpt_api", { model: "gone" }), { models })
    assert.strictEqual(codeOf(outcome), "provider_auth_failed")
  })
})

const bodyFor = async (platform: LlmPlatform, changes: Partial<Question>) => {
  vendor.answer(serving(fixture(success[platform])))
  answerOf(await capture(platform, vendor.url, question(platform, changes)))
  return vendor.received[0]?.body ?? {}
}

describe("requests", () => {
  it("the temperature reaches each vendor that takes one, on that vendor's scale", async () => {
    assert.strictEqual((await bodyFor("chatgpt_api", { model: "gpt-4.1", temperature: 1.6 }))["temperature"], 1.6)
    assert.strictEqual(
      (await bodyFor("claude_api", { model: "claude-sonnet-4-6", temperature: 1.6 }))["temperature"],
      1
    )
    assert.strictEqual((await bodyFor("perplexity_api", { temperature: 1.6 }))["temperature"], 1.6)
    const gemini = await bodyFor("gemini_api", { temperature: 1.6 })
    assert.deepInclude(gemini["generationConfig"], { temperature: 1.6 })
  })

  it("reasoning is switched off for a model that takes a temperature only without it", async () => {
    const body = await bodyFor("chatgpt_api", { model: "gpt-5.5", temperature: 0 })
    assert.deepStrictEqual([body["temperature"], body["reasoning"]], [0, { effort: "none" }])
    assert.deepStrictEqual((await bodyFor("chatgpt_api", { model: "gpt-5.5" }))["reasoning"], { effort: "low" })
    assert.notProperty(await bodyFor("chatgpt_api", { model: "gpt-4.1" }), "reasoning")
  })

  it("without a country, ChatGPT is told that the place is unknown, and the others get no place", async () => {
    const { city: _city, country: _country, ...nowhere } = question("chatgpt_api")
    const sent = async (platform: LlmPlatform) => {
      vendor.answer(serving(fixture(success[platform])))
      await capture(platform, vendor.url, { ...nowhere, model: question(platform).model })
      return JSON.stringify(vendor.received[0]?.body)
    }
    assert.include(await sent("chatgpt_api"), '"user_location":{"type":"approximate"}')
    for (const platform of ["claude_api", "gemini_api", "perplexity_api"] as const) {
      assert.notInclude(await sent(platform), "location")
    }
  })

  it("a city is sent to ChatGPT and Claude only", async () => {
    const withCity: Array<LlmPlatform> = []
    for (const platform of platforms) {
      if (JSON.stringify(await bodyFor(platform, {})).includes("Leeds")) withCity.push(platform)
    }
    assert.deepStrictEqual(withCity, ["chatgpt_api", "claude_api"])
  })

  it("without web search no tool is sent", async () => {
    for (const platform of platforms) {
      const body = await bodyFor(platform, { webSearch: false })
      assert.notProperty(body, "tools")
      assert.notProperty(body, "tool_choice")
      assert.notInclude(JSON.stringify(body), "Always run")
    }
  })

  it("a search is forced where the model allows it", async () => {
    const forced = await bodyFor("claude_api", { model: "claude-haiku-5-5" })
    assert.deepStrictEqual(forced["tool_choice"], { type: "tool", name: "web_search" })
    assert.notInclude(String(forced["system"]), "Always run")
    assert.notProperty(forced, "thinking")
  })

  it("a model without web search is asked without it", async () => {
    assert.notProperty(await bodyFor("chatgpt_api", { model: "gpt-5.4-nano" }), "tools")
  })

  it("the whole conversation is sent, in each vendor's own format", async () => {
    const turns: Question["turns"] = [
      { role: "user", content: "one" },
      { role: "assistant", content: "two" },
      { role: "user", content: "three" }
    ]
    assert.deepStrictEqual((await bodyFor("chatgpt_api", { turns }))["input"], turns)
    assert.deepStrictEqual((await bodyFor("claude_api", { turns }))["messages"], turns)
    assert.deepStrictEqual(
      (await bodyFor("perplexity_api", { turns }))["input"],
      turns.map((turn) => ({ type: "message", ...turn }))
    )
    assert.deepStrictEqual((await bodyFor("gemini_api", { turns }))["contents"], [
      { role: "user", parts: [{ text: "one" }] },
      { role: "model", parts: [{ text: "two" }] },
      { role: "user", parts: [{ text: "three" }] }
    ])
  })

  it("a token limit below a vendor's minimum is raised to it", async () => {
    assert.strictEqual((await bodyFor("chatgpt_api", { maxTokens: 1 }))["max_output_tokens"], 16)
    assert.strictEqual((await bodyFor("perplexity_api", { maxTokens: 1 }))["max_output_tokens"], 16)
    assert.strictEqual((await bodyFor("claude_api", { maxTokens: 1 }))["max_tokens"], 1)
  })

  it("a slash at the end of the base URL changes nothing", async () => {
    vendor.answer(serving(fixture("openai_grounded")))
    await capture("chatgpt_api", `${vendor.url}/`)
    assert.strictEqual(vendor.received[0]?.path, "/v1/responses")
  })
})

describe("answers", () => {
  it("unknown fields and item types change nothing", async () => {
    const outputs = ["output", "content", "candidates"] as const
    for (const platform of platforms) {
      vendor.answer(serving(fixture(success[platform])))
      const plain = answerOf(await capture(platform, vendor.url))
      const surprise: Change = (body) => {
        body["novelty"] = { of: ["some", "kind"] }
        for (const field of outputs) {
          const list = body[field]
          if (!Array.isArray(list)) continue
          for (const item of list) item.novelty = 1
          if (field !== "candidates") list.unshift({ type: "novelty", content: 7, text: 9 }, null, "text", 4, [])
        }
      }
      vendor.answer(changed(success[platform], surprise))
      assert.deepStrictEqual(answerOf(await capture(platform, vendor.url)), plain)
    }
  })

  it("a byte order mark before the JSON changes nothing", async () => {
    vendor.answer(sending(200, `\uFEFF${JSON.stringify(fixture("openai_grounded").body)}`))
    assert.isNotEmpty(answerOf(await capture("chatgpt_api", vendor.url)).text)
  })

  it("usage in an unknown form is left out, and the answer is kept", async () => {
    vendor.answer(changed("openai_grounded", (body) => (body["usage"] = { input_tokens: "many" })))
    const answer = answerOf(await capture("chatgpt_api", vendor.url))
    assert.notProperty(answer, "tokens")
    assert.isNotEmpty(answer.text)
  })

  it("an oversized answer is cut to 256 KiB at a code point", async () => {
    const text = `a${"😀".repeat(100_000)}`
    const content = [{ type: "output_text", text, annotations: [] }]
    vendor.answer(changed("openai_grounded", (body) => (body["output"] = [{ type: "message", content }])))
    const { raw, text: kept } = answerOf(await capture("chatgpt_api", vendor.url))
    assert.strictEqual(Buffer.byteLength(raw), 256 * 1024 - 3)
    assert.isTrue(raw.isWellFormed() && text.startsWith(raw))
    assert.strictEqual(kept, raw)
  })

  it("U+0000 and half of a surrogate pair are replaced", async () => {
    vendor.answer(
      changed("openai_no_search", (body) => {
        const text = "a\u0000b\ud800c"
        body["output"] = [{ type: "message", content: [{ type: "output_text", text }] }]
        body["model"] = text
      })
    )
    const asked = question("chatgpt_api", { webSearch: false })
    const { model, raw } = answerOf(await capture("chatgpt_api", vendor.url, asked))
    assert.deepStrictEqual([raw, model], ["a\uFFFDb\uFFFDc", "a\uFFFDb\uFFFDc"])
  })

  it.each(["in_progress", "queued", "cancelled", "requires_action", "novel"])(
    "a response that is %s is provider_error",
    async (status) => {
      vendor.answer(changed("openai_grounded", (body) => (body["status"] = status)))
      assert.strictEqual(codeOf(await capture("chatgpt_api", vendor.url)), "provider_error")
      vendor.answer(changed("perplexity_grounded", (body) => (body["status"] = status)))
      assert.strictEqual(codeOf(await capture("perplexity_api", vendor.url)), "provider_error")
    }
  )

  it("a response that failed because of our request is provider_error", async () => {
    vendor.answer(changed("openai_failed_200", (body) => (body["error"] = { code: "invalid_prompt", message: "no" })))
    assert.strictEqual(codeOf(await capture("chatgpt_api", vendor.url)), "provider_error")
    assert.strictEqual(vendor.received.length, 1)
  })

  it.each([
    [429, "request_rate_limit_exceeded", "provider_rate_limited"],
    [504, "gateway_timeout", "provider_timeout"],
    [500, null, "provider_unavailable"],
    ["gateway_timeout", "server_error", "provider_timeout"],
    [400, "invalid_request", "provider_error"]
  ])("a response that failed with %s, %s is %s, as its status would be", async (code, type, expected) => {
    vendor.answer(changed("perplexity_failed_200", (body) => (body["error"] = { code, type, message: "no" })))
    assert.strictEqual(codeOf(await capture("perplexity_api", vendor.url)), expected)
  })

  it("an unknown reason for stopping is provider_error", async () => {
    vendor.answer(changed("anthropic_grounded", (body) => (body["stop_reason"] = "novel")))
    assert.strictEqual(codeOf(await capture("claude_api", vendor.url)), "provider_error")
    vendor.answer(
      changed("gemini_grounded", (body) => {
        body["candidates"] = [{ finishReason: "OTHER", content: { parts: [{ text: "x" }] } }]
      })
    )
    assert.strictEqual(codeOf(await capture("gemini_api", vendor.url)), "provider_error")
  })

  it("a refusal with text is an answer", async () => {
    vendor.answer(
      changed("anthropic_refusal", (body) => (body["content"] = [{ type: "text", text: "I would rather not." }]))
    )
    const answer = answerOf(await capture("claude_api", vendor.url))
    assert.deepStrictEqual([answer.text, answer.finish], ["I would rather not.", "refusal"])
  })

  it("citations lose the engines' tags, however many there are and wherever they stand", async () => {
    const [openai, chatgpt] = ["utm_source=openai", "utm_source=chatgpt.com"]
    const urls = [
      `https://a.example/?${chatgpt}&${openai}`,
      `https://b.example/?${openai}&x=1&${openai}#top`,
      `https://c.example/?x=1&${openai}&${chatgpt}&y=2`,
      "https://d.example/?utm_source=openairline&x=utm_source=openai"
    ]
    const annotations = urls.map((url) => ({ type: "url_citation", url, title: "A", start_index: 0, end_index: 1 }))
    const content = [{ type: "output_text", text: "Words.", annotations }]
    vendor.answer(changed("openai_grounded", (body) => (body["output"] = [{ type: "message", content }])))
    assert.deepStrictEqual(
      answerOf(await capture("chatgpt_api", vendor.url)).citations.map(({ url }) => url),
      ["https://a.example/", "https://b.example/?x=1#top", "https://c.example/?x=1&y=2", urls[3]]
    )
  })

  it("only web addresses of reasonable length are cited", async () => {
    const urls = [
      "https://good.example@evil.example/",
      "javascript:alert(1)",
      "data:text/html,x",
      "nope",
      // They begin like web addresses, but no parser accepts them.
      "https://javascript:alert(1)",
      "http://[data:text/html,x]/",
      "https://a.example:99999/",
      "https://a%00b.example/",
      `https://a.example/${"x".repeat(3000)}`,
      "http://b.example/"
    ]
    const annotations = urls.map((url) => ({ type: "url_citation", url, title: null, start_index: 0, end_index: 1 }))
    const content = [{ type: "output_text", text: "Words.", annotations }]
    vendor.answer(changed("openai_grounded", (body) => (body["output"] = [{ type: "message", content }])))
    const { citations } = answerOf(await capture("chatgpt_api", vendor.url))
    assert.deepStrictEqual(
      citations.map(({ title, url }) => [url, title]),
      [["http://b.example/", "b.example"]]
    )
  })
})

describe("ChatGPT's annotation ranges", () => {
  const citing = async (text: string, start: number, end: number, url = "https://a.example/x") => {
    const annotations = [{ type: "url_citation", url, title: "A", start_index: start, end_index: end }]
    const output = [{ type: "message", content: [{ type: "output_text", text, annotations }] }]
    vendor.answer(changed("openai_grounded", (body) => (body["output"] = output)))
    return answerOf(await capture("chatgpt_api", vendor.url)).citations[0]?.text
  }

  it("over the claim itself yield the claim", async () => {
    assert.strictEqual(await citing("Acme is **best**. Others follow.", 0, 17), "Acme is best.")
  })

  it("over the marker yield the sentence before it", async () => {
    const text = "First. Acme is best ([a.example](https://a.example/x)). Last."
    const marker = text.indexOf("([")
    assert.strictEqual(await citing(text, marker, text.indexOf(")).") + 1), "Acme is best")
  })

  it("counted in code points instead of UTF-16 units still yield the sentence before the marker", async () => {
    const text = `${"🚀".repeat(20)} Acme is best. ([a.example](https://a.example/x))`
    const marker = Array.from(text.slice(0, text.indexOf("(["))).length
    assert.strictEqual((await citing(text, marker, marker + 34))?.endsWith("Acme is best."), true)
    for (const emoji of [1, 2, 3, 4]) {
      const few = `First. ${"🚀".repeat(emoji)}\nAcme is best ([a.example](https://a.example/x)) today.`
      const start = few.indexOf("([") - emoji
      assert.strictEqual(await citing(few, start, start + 34), "Acme is best")
    }
  })

  it("over the claim and its marker yield the claim", async () => {
    const text = "First. Acme is best ([a.example](https://a.example/x)). Last."
    assert.strictEqual(await citing(text, text.indexOf("Acme"), text.indexOf(". Last")), "Acme is best")
  })

  it("over the marker of another address yield no claim", async () => {
    const text = "Acme is best. ([b.example](https://b.example/y))"
    assert.isUndefined(await citing(text, text.indexOf("(["), text.length))
  })

  it("outside the text yield no claim", async () => {
    assert.isUndefined(await citing("Acme.", 500, 900))
    assert.isUndefined(await citing("Acme.", -5, -9))
  })
})

describe("Claude's paused turns", () => {
  const paused = fixture("anthropic_pause_turn")
  const done = fixture("anthropic_grounded")

  it("are continued with the content so far, and read as one answer", async () => {
    const content = [...shaped(paused.body?.["content"]), { type: "text", text: "Let me see. " }]
    vendor.answer(sending(200, JSON.stringify({ ...paused.body, content })), serving(done))
    const answer = answerOf(await capture("claude_api", vendor.url))
    const messages: ReadonlyArray<ReadonlyArray<unknown>> = vendor.received.map(({ body }) => shaped(body["messages"]))
    assert.strictEqual(messages[0]?.length, 1)
    assert.deepStrictEqual(messages[1]?.slice(1), [{ role: "assistant", content }])
    assert.isTrue(answer.text.startsWith("Let me see. For a small design agency"))
    assert.deepStrictEqual(answer.tokens, { input: 2 * 9120, output: 2 * 431, reasoning: 2 * 96 })
    assert.strictEqual(answer.citations.length, 3)
  })

  it("are continued at most twice, and without text by then are provider_error", async () => {
    vendor.answer(serving(paused))
    assert.strictEqual(codeOf(await capture("claude_api", vendor.url)), "provider_error")
    assert.strictEqual(vendor.received.length, 3)
    const last: ReadonlyArray<{ readonly content: unknown }> = shaped(vendor.received[2]?.body["messages"])
    const content: ReadonlyArray<unknown> = shaped(paused.body?.["content"])
    assert.deepStrictEqual(last[1]?.content, [...content, ...content])
  })

  it("nested too deep to be serialised again are provider_error", async () => {
    const deep = JSON.stringify({ ...paused.body, content: ["@"] }).replace(
      '"@"',
      "[".repeat(20_000) + "]".repeat(20_000)
    )
    vendor.answer(sending(200, deep))
    assert.strictEqual(codeOf(await capture("claude_api", vendor.url)), "provider_error")
  })
})

describe("Gemini's grounding redirects", () => {
  const grounded = (uris: ReadonlyArray<readonly [uri: string, title: string]>) =>
    changed("gemini_grounded", (body) => {
      const groundingChunks = uris.map(([uri, title]) => ({ web: { uri, title } }))
      const groundingMetadata = { webSearchQueries: ["q"], groundingChunks }
      body["candidates"] = [{ finishReason: "STOP", content: { parts: [{ text: "x" }] }, groundingMetadata }]
    })
  const redirect = (id: string) => `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${id}`
  const urlsOf = async (resolveRedirect: (url: string) => Effect.Effect<Option.Option<string>>) =>
    answerOf(await capture("gemini_api", vendor.url, question("gemini_api"), { resolveRedirect })).citations.map(
      ({ url }) => url
    )

  it("are replaced by their destination, or by the site in their title, or kept", async () => {
    vendor.answer(
      grounded([
        [redirect("found"), "a.example"],
        [redirect("lost"), "b.example"],
        [redirect("lost-too"), "A page about things"]
      ])
    )
    const urls = await urlsOf((url) =>
      Effect.succeed(url.endsWith("found") ? Option.some("https://a.example/page") : Option.none())
    )
    assert.deepStrictEqual(urls, ["https://a.example/page", "https://b.example/", redirect("lost-too")])
  })

  it("without a title are not shown as the redirector's page where the destination is known, and are named after its site", async () => {
    vendor.answer(grounded(["found", "lost", "lost-too"].map((id) => [redirect(id), ""] as const)))
    const resolveRedirect = (url: string) =>
      Effect.succeed(url.endsWith("found") ? Option.some("https://www.a.example/page") : Option.none())
    const outcome = await capture("gemini_api", vendor.url, question("gemini_api"), { resolveRedirect })
    assert.deepStrictEqual(
      answerOf(outcome).citations.map(({ title, url }) => [url, title]),
      [
        ["https://www.a.example/page", "a.example"],
        [redirect("lost"), "vertexaisearch.cloud.google.com"],
        [redirect("lost-too"), "vertexaisearch.cloud.google.com"]
      ]
    )
  })

  it("are the only addresses that are resolved", async () => {
    const others = [
      "https://a.example/grounding-api-redirect/x",
      "http://vertexaisearch.cloud.google.com/grounding-api-redirect/x",
      "https://vertexaisearch.cloud.google.com.evil.example/grounding-api-redirect/x",
      "https://vertexaisearch.cloud.google.com/elsewhere/x"
    ]
    vendor.answer(grounded(others.map((uri) => [uri, "a.example"] as const)))
    const asked: Array<string> = []
    const urls = await urlsOf((url) => Effect.sync(() => Option.some(String(asked.push(url)))))
    assert.isEmpty(asked)
    assert.deepStrictEqual(urls, others)
  })

  it("that lead to the same page are one citation", async () => {
    vendor.answer(
      grounded([
        [redirect("1"), "a.example"],
        [redirect("2"), "a.example"]
      ])
    )
    assert.deepStrictEqual(await urlsOf(() => Effect.succeed(Option.some("https://a.example/page"))), [
      "https://a.example/page"
    ])
  })

  it("that never answer cost three seconds in total, but not the answer", async () => {
    vendor.answer(grounded([1, 2, 3, 4].map((id) => [redirect(`${id}`), `site${id}.example`] as const)))
    const started = performance.now()
    const urls = await urlsOf(() => Effect.never)
    const took = performance.now() - started
    assert.deepStrictEqual(
      urls,
      [1, 2, 3, 4].map((id) => `https://site${id}.example/`)
    )
    assert.isAtLeast(took, 2900)
    // One after the other they would take twelve seconds.
    assert.isBelow(took, 11_000)
  })
})

describe("Perplexity's markers", () => {
  const said = (text: string, results?: unknown) =>
    changed("perplexity_grounded", (body) => {
      const output: ReadonlyArray<{ readonly type: string }> = shaped(body["output"])
      const found = output.filter(({ type }) => type === "search_results")
      const message = { type: "message", content: [{ type: "output_text", text, annotations: [] }] }
      body["output"] = [...(results === undefined ? found : [{ type: "search_results", results }]), message]
    })

  it("are removed, and cited in the order of their use", async () => {
    vendor.answer(said("Planora [4] over Brandmore [2][4]."))
    const answer = answerOf(await capture("perplexity_api", vendor.url))
    assert.strictEqual(answer.text, "Planora over Brandmore.")
    assert.deepStrictEqual(
      answer.citations.map(({ url }) => url),
      ["https://planora.example/", "https://brandmore.example/pricing"]
    )
  })

  it("that are links are removed with their addresses", async () => {
    vendor.answer(
      said("Planora [4](https://planora.example/(a)) over Brandmore [2](https://brandmore.example/pricing)[4].")
    )
    const answer = answerOf(await capture("perplexity_api", vendor.url))
    assert.strictEqual(answer.text, "Planora over Brandmore.")
    assert.deepStrictEqual(
      answer.citations.map(({ url }) => url),
      ["https://planora.example/", "https://brandmore.example/pricing"]
    )
  })

  it("that point at nothing are kept and cite nothing", async () => {
    vendor.answer(said("See item [9] of list[0], and Acme [1]."))
    const answer = answerOf(await capture("perplexity_api", vendor.url))
    assert.strictEqual(answer.text, "See item [9] of list[0], and Acme.")
    assert.strictEqual(answer.citations.length, 1)
  })

  it("are absent from an answer: its first ten results are cited", async () => {
    const results = Array.from({ length: 12 }, (_, index) => ({ id: index + 1, url: `https://r${index + 1}.example/` }))
    vendor.answer(said("Acme.", results))
    assert.strictEqual(answerOf(await capture("perplexity_api", vendor.url)).citations.length, 10)
  })
})
