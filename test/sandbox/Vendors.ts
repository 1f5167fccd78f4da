import type { VendorName } from "@sightline/sandbox/Inquiry"

/** How each vendor receives the settings of the service: path, key header and body. */
export interface Wire {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: (question: string) => Readonly<Record<string, unknown>>
}

const place = { type: "approximate", country: "GB", city: "Leeds" }

/** One valid request to each vendor. */
export const wires: Readonly<Record<VendorName, Wire>> = {
  openai: {
    path: "/openai/v1/responses",
    headers: { authorization: "Bearer sk-test" },
    body: (question) => ({
      model: "gpt-6.1-sol",
      input: [{ role: "user", content: question }],
      tools: [{ type: "web_search", search_context_size: "medium", user_location: place }],
      tool_choice: "required",
      include: ["web_search_call.action.sources"],
      reasoning: { effort: "low" },
      max_output_tokens: 4000,
      store: false
    })
  },
  anthropic: {
    path: "/anthropic/v1/messages",
    headers: { authorization: "Bearer sk-test", "anthropic-version": "2026-10-21" },
    body: (question) => ({
      model: "claude-sonnet-5-5",
      max_tokens: 4000,
      messages: [{ role: "user", content: question }],
      thinking: { type: "between_tools" },
      tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 3, user_location: place }],
      tool_choice: { type: "auto" }
    })
  },
  gemini: {
    path: "/gemini/v1/models/gemini-3.8-flash:generateContent",
    headers: { "x-goog-api-key": "test" },
    body: (question) => ({
      contents: [{ role: "user", parts: [{ text: question }] }],
      tools: [{ googleSearch: {} }],
      generationConfig: { maxOutputTokens: 4000, thinkingConfig: { thinkingLevel: "low" } }
    })
  },
  perplexity: {
    path: "/perplexity/v1/agent",
    headers: { authorization: "Bearer pplx-test" },
    body: (question) => ({
      model: "perplexity/sonar",
      input: [{ type: "message", role: "user", content: question }],
      tools: [{ type: "web_search", search_context_size: "medium", user_location: { country: "GB" } }],
      tool_choice: { type: "web_search" },
      max_output_tokens: 4000,
      store: false
    })
  }
}

/** The four names, in the order of `wires`. */
export const names: ReadonlyArray<VendorName> = ["openai", "anthropic", "gemini", "perplexity"]

/** The request that sends `question` to a vendor; `over` replaces fields of the body or the whole body. */
export const requestTo = (
  origin: string,
  vendor: VendorName,
  question: string,
  over: Readonly<Record<string, unknown>> | string = {}
): Request => {
  const { path, headers, body } = wires[vendor]
  return new Request(origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof over === "string" ? over : JSON.stringify({ ...body(question), ...over })
  })
}
