/**
 * How a request is read, whatever its vendor calls the fields: who is asked what, from where, with what search.
 *
 * Planted and seen red:
 * - a place, a turn or a token limit is dropped, or another one is assumed
 * - what the assistant said is read as the question
 * - an optional search is taken for forced, or a forced one for optional
 * - dated models, aliases, versions and methods are not distinguished
 * - reasoning is assumed where there is none
 * - sampling is accepted for a model without it, or refused for one that has it
 */
import { Result } from "effect"
import { Headers } from "effect/http"
import { assert, describe, it } from "vitest"
import type { Inquiry } from "@sightline/sandbox/Inquiry"
import { vendors } from "./Answering.ts"
import { names, wires } from "./Vendors.ts"

type Name = (typeof names)[number]
type Over = Readonly<Record<string, unknown>>

const call = { version: "v1", call: "gemini-3.8-flash:generateContent" }

/** A vendor's reading of the service's request with some fields replaced, or the status of its refusal. */
const readBy = (name: Name, over: Over = {}, headers: Readonly<Record<string, string>> = {}, params = call) => {
  const wire = wires[name]
  const own = Headers.fromInput({ ...wire.headers, ...headers })
  const body = JSON.parse(JSON.stringify({ ...wire.body("best crm"), ...over }))
  return Result.match(vendors[name].read({ body, headers: own, params }), {
    onFailure: ({ status }): Partial<Inquiry> | number => status,
    onSuccess: ({ inquiry }) => inquiry
  })
}

const readings: Readonly<Record<Name, Inquiry>> = {
  openai: {
    vendor: "openai",
    model: "gpt-6.1-sol-2026-10-28",
    question: "best crm",
    country: "GB",
    city: "Leeds",
    search: "forced",
    reasons: true,
    maxTokens: 4000
  },
  anthropic: {
    vendor: "anthropic",
    model: "claude-sonnet-5-5",
    question: "best crm",
    country: "GB",
    city: "Leeds",
    search: "offered",
    reasons: true,
    maxTokens: 4000
  },
  gemini: {
    vendor: "gemini",
    model: "gemini-3.8-flash",
    question: "best crm",
    country: "",
    city: "",
    search: "offered",
    reasons: true,
    maxTokens: 4000
  },
  perplexity: {
    vendor: "perplexity",
    model: "perplexity/sonar",
    question: "best crm",
    country: "GB",
    city: "",
    search: "forced",
    reasons: false,
    maxTokens: 4000
  }
}

it.each(names)("%s: the service's request is read as the service means it", (name) => {
  assert.deepStrictEqual(readBy(name), readings[name])
})

const said = (role: string, content: unknown) => ({ role, content })
const turns = [said("user", "best crm?"), said("assistant", "Acme."), said("user", "and cheaper?")]
const ofPerplexity = (role: string, content: unknown) => ({ type: "message", role, content })
const ofGemini = (role: string | undefined, ...texts: ReadonlyArray<string>) => ({
  ...(role !== undefined && { role }),
  parts: texts.map((text) => ({ text }))
})
const webSearch = { type: "web_search" }
const claudeSearch = { type: "web_search_20250305", name: "web_search" }
const leeds = { type: "approximate", country: "GB", city: "Leeds" }

/** Replaced fields of the service's request, and the change in its reading or the status of the refusal. */
const changes: ReadonlyArray<readonly [title: string, Name, Over, Partial<Inquiry> | number]> = [
  ["a dated model", "openai", { model: "gpt-6-luna-2026-08-19" }, { model: "gpt-6-luna-2026-08-19" }],
  ["no location", "openai", { tools: [webSearch] }, { country: "US", city: "" }],
  ["no word of a location", "openai", { tools: [{ ...webSearch, user_location: null }] }, { country: "US", city: "" }],
  [
    "an empty location",
    "openai",
    { tools: [{ ...webSearch, user_location: { type: "approximate" } }] },
    { country: "", city: "" }
  ],
  [
    "a country in small letters",
    "openai",
    { tools: [{ ...webSearch, user_location: { ...leeds, country: "gb" } }] },
    400
  ],
  ["a search that is offered", "openai", { tool_choice: "auto" }, { search: "offered" }],
  ["a search without a choice", "openai", { tool_choice: undefined }, { search: "offered" }],
  ["a search that may not be", "openai", { tool_choice: "none" }, { search: "off" }],
  ["a search by its name", "openai", { tool_choice: webSearch }, { search: "forced" }],
  [
    "one of the allowed tools",
    "openai",
    { tool_choice: { type: "allowed_tools", mode: "auto" } },
    { search: "offered" }
  ],
  ["an allowed tool", "openai", { tool_choice: { type: "allowed_tools", mode: "required" } }, { search: "forced" }],
  ["several turns", "openai", { input: turns }, { question: "best crm?\nand cheaper?" }],
  [
    "parts of a turn",
    "openai",
    {
      input: [
        said("user", [
          { type: "input_text", text: "best " },
          { type: "input_text", text: "crm" }
        ])
      ]
    },
    { question: "best crm" }
  ],
  ["a plain text", "openai", { input: "cheap crm" }, { question: "cheap crm" }],
  [
    "no reasoning",
    "openai",
    { model: "gpt-5.4", reasoning: { effort: "none" } },
    { model: "gpt-5.4-2026-03-05", reasons: false }
  ],
  ["a model that never reasons", "openai", { model: "gpt-4.1" }, { model: "gpt-4.1-2025-04-14", reasons: false }],
  ["temperature where it is never taken", "openai", { temperature: 1, reasoning: { effort: "none" } }, 400],
  ["too high a temperature", "openai", { model: "gpt-4.1", temperature: 2.1 }, 400],
  ["too few tokens", "openai", { max_output_tokens: 15 }, 400],
  ["no limit of tokens", "openai", { max_output_tokens: undefined }, { maxTokens: 16_000 }],
  ["a stream", "openai", { stream: true }, 400],
  ["a dated model", "anthropic", { model: "claude-sonnet-5-5-20261021" }, { model: "claude-sonnet-5-5-20261021" }],
  ["no location", "anthropic", { tools: [claudeSearch] }, { country: "", city: "" }],
  ["no tools", "anthropic", { tools: [] }, { search: "off", country: "", city: "" }],
  ["a search that may not be", "anthropic", { tool_choice: { type: "none" } }, { search: "off" }],
  [
    "a forced search",
    "anthropic",
    { model: "claude-haiku-5-5", thinking: { type: "disabled" }, tool_choice: { type: "any" } },
    { model: "claude-haiku-5-5", search: "forced", reasons: false }
  ],
  [
    "a search forced by its name on one that thinks",
    "anthropic",
    { model: "claude-haiku-5-5", tool_choice: { type: "tool", name: "web_search" } },
    400
  ],
  [
    "thinking that was asked for",
    "anthropic",
    { model: "claude-haiku-5-5" },
    { model: "claude-haiku-5-5", reasons: true }
  ],
  ["several turns", "anthropic", { messages: turns }, { question: "best crm?\nand cheaper?" }],
  ["no tokens", "anthropic", { max_tokens: 0 }, 400],
  [
    "several turns, one without a role",
    "gemini",
    { contents: [ofGemini(undefined, "best crm?"), ofGemini("model", "Acme."), ofGemini("user", "and", "cheaper?")] },
    { question: "best crm?\nand\ncheaper?" }
  ],
  ["a tool that is no search", "gemini", { tools: [{}] }, { search: "off" }],
  [
    "no thinking",
    "gemini",
    { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
    { reasons: false, maxTokens: 8192 }
  ],
  [
    "several turns",
    "perplexity",
    { input: turns.map(({ content, role }) => ofPerplexity(role, content)) },
    { question: "best crm?\nand cheaper?" }
  ],
  [
    "what the system says",
    "perplexity",
    { input: [ofPerplexity("system", "Be brief."), ofPerplexity("user", "cheap crm")] },
    { question: "cheap crm" }
  ],
  ["a search that is offered", "perplexity", { tool_choice: undefined }, { search: "offered" }],
  ["a search that may not be", "perplexity", { tool_choice: "none" }, { search: "off" }],
  [
    "a city",
    "perplexity",
    { tools: [{ ...webSearch, user_location: { country: "FR", city: "Lyon" } }] },
    { country: "FR", city: "Lyon" }
  ],
  ["no limit of tokens", "perplexity", { max_output_tokens: undefined }, { maxTokens: 8000 }]
]

it.each(changes)("%s, sent to %s", (_, name, over, change) => {
  assert.deepStrictEqual(readBy(name, over), typeof change === "number" ? change : { ...readings[name], ...change })
})

describe("anthropic under its old version", () => {
  const old = { "anthropic-version": "2023-06-01" }
  const plain = { model: "claude-sonnet-4-6", thinking: { type: "disabled" } }

  it.each(["temperature", "top_p", "top_k"])("takes %s of a model that has it, and of no other", (field) => {
    const statusOf = (over: Over, headers = {}) => {
      const read = readBy("anthropic", { ...over, [field]: 1 }, headers)
      return typeof read === "number" ? read : 200
    }
    assert.deepStrictEqual([statusOf(plain, old), statusOf({}, old), statusOf(plain)], [200, 400, 400])
  })
})

it.each([
  ["v1", "gemini-flash-latest:generateContent", "gemini-3.8-flash"],
  ["v1beta", "gemini-4-argon:generateContent", "gemini-4-argon"],
  ["v2", "gemini-3.8-flash:generateContent", 404],
  ["v1", "gemini-3.8-flash:countTokens", 404],
  ["v1", "gemini-3.8-flash", 404]
])("gemini: %s/models/%s is %s", (version, call, expected) => {
  const read = readBy("gemini", {}, {}, { version, call })
  assert.strictEqual(typeof read === "number" ? read : read.model, expected)
})
