import { createServer } from "node:http"
import { badAddresses, hostileName, hostileText, markOf } from "./payloads.ts"
import { listen } from "../services/listen.ts"

/** Which vendor gives which of the four answers to a question. */
const turns: Readonly<Record<string, number>> = { openai: 0, anthropic: 1, gemini: 2, perplexity: 3 }

/** The sources of an answer: half of them must never become a link, and the others have hostile names. */
const sourcesOf = (n: number) => [
  { url: badAddresses[n % badAddresses.length] ?? "", title: hostileName(n, 200) },
  { url: `https://evil.invalid/${n}?q=<script>`, title: hostileName(n + 1, 200) }
]

/** The brand that the answers to a question name, and so the brand to look for. */
export const brandOf = (question: number): string => hostileName(question, 60)

/** An answer that names the brand in its middle, so that mention, context and rank are hostile too. */
const textOf = (n: number, brand: string) => `${markOf(n)} ${hostileText(n)}\n\n${brand} and Acme. ${hostileText(n)}`

const usage = { input_tokens: 1, output_tokens: 1 }

const answers: Readonly<Record<string, (text: string, n: number) => object>> = {
  openai: (text, n) => ({
    status: "completed",
    model: "gpt-test",
    output: [
      {
        type: "message",
        role: "assistant",
        content: [
          {
            type: "output_text",
            text,
            annotations: sourcesOf(n).map(({ title, url }) => ({
              type: "url_citation",
              title,
              url,
              start_index: 0,
              end_index: 20
            }))
          }
        ]
      }
    ],
    usage
  }),
  anthropic: (text, n) => ({
    type: "message",
    role: "assistant",
    model: "claude-test",
    content: [
      {
        type: "text",
        text,
        citations: sourcesOf(n).map(({ title, url }) => ({
          type: "web_search_result_location",
          title,
          url,
          cited_text: hostileName(n, 300)
        }))
      }
    ],
    stop_reason: "end_turn",
    usage
  }),
  gemini: (text, n) => ({
    candidates: [
      {
        finishReason: "STOP",
        content: { role: "model", parts: [{ text }] },
        groundingMetadata: {
          groundingChunks: sourcesOf(n).map(({ url, title }) => ({ web: { uri: url, title } })),
          groundingSupports: [
            { segment: { startIndex: 0, endIndex: 20, text: hostileName(n, 200) }, groundingChunkIndices: [0, 1] }
          ]
        }
      }
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
    modelVersion: "gemini-test"
  }),
  perplexity: (text, n) => ({
    status: "completed",
    model: "perplexity/sonar",
    output: [
      {
        type: "search_results",
        results: sourcesOf(n).map(({ title, url }, id) => ({ id, title, url, snippet: hostileName(n, 200) }))
      },
      { type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] }
    ],
    usage
  })
}

const advertOf = (n: number, rendered: boolean) => ({
  type: "chat_gpt_ad",
  is_rendered: rendered,
  title: hostileName(n, 200),
  url: badAddresses[(n + 1) % badAddresses.length],
  domain: hostileName(n + 2, 100),
  advertiser: { name: hostileName(n + 3, 100) }
})

/** ChatGPT's page in DataForSEO's format: searches, brands and adverts besides the text. */
const surface = (text: string, n: number) => ({
  status_code: 20_000,
  status_message: "Ok.",
  tasks: [
    {
      status_code: 20_000,
      status_message: "Ok.",
      result: [
        {
          model: hostileName(n, 80),
          markdown: text,
          sources: sourcesOf(n).map(({ title, url }) => ({
            type: "chat_gpt_source",
            title,
            url,
            snippet: hostileName(n, 200)
          })),
          fan_out_queries: [hostileName(n, 200), hostileName(n + 5, 200)],
          brand_entities: [4, 5, 6].map((more) => ({
            type: "chat_gpt_brand_entity",
            title: hostileName(n + more, 100),
            category: hostileName(n + more + 1, 100),
            urls: [{ type: "chat_gpt_url", url: "https://evil.invalid/", domain: hostileName(n + more + 2, 80) }]
          })),
          item_types: ["chat_gpt_text"],
          items: [advertOf(n, true), advertOf(n + 7, false)]
        }
      ]
    }
  ]
})

/** Questions for discover, in the form that an engine is asked for. */
const candidates = (n: number) =>
  JSON.stringify(
    Array.from({ length: 20 }, (_, more) => ({
      query: `${markOf(n)} ${hostileName(n + more, 200)}`,
      intent: "commercial",
      rationale: hostileName(n + more, 200)
    }))
  )

/** A hostile question that selects one of the hostile answers. */
export const questionOf = (n: number): string => `${hostileName(n, 300)} (question ${n})`

/**
 * Engines that answer live keys with hostile texts.
 *
 * Shape: the question is `questionOf(n)`; the four LLM APIs answer it with the texts `n` to `n + 3`, a page with text `n`;
 * asked again, with others.
 */
export const startHostileEngines = async () => {
  const askedBefore = new Map<string, number>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const vendor = (request.url ?? "").split("/")[1] ?? ""
      const asked = Buffer.concat(chunks).toString()
      const first = Number(/\(question (\d+)\)/.exec(asked)?.[1] ?? 0)
      const before = askedBefore.get(`${vendor} ${first}`) ?? 0
      askedBefore.set(`${vendor} ${first}`, before + 1)
      const n = first + (turns[vendor] ?? 0) + 9 * before
      const text = asked.includes("JSON array") ? candidates(n) : textOf(n, brandOf(first))
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify((answers[vendor] ?? surface)(text, n)))
    })
  })
  const origin = `http://127.0.0.1:${await listen(server)}`
  return {
    env: {
      ...Object.fromEntries(
        Object.keys(turns).flatMap((name) => [
          [`${name.toUpperCase()}_BASE_URL`, `${origin}/${name}`],
          [`${name.toUpperCase()}_API_KEY`, "a-vendor-key"]
        ])
      ),
      LIVE_CAPTURE: "dataforseo",
      DATAFORSEO_BASE_URL: `${origin}/dataforseo`,
      DATAFORSEO_LOGIN: "login",
      DATAFORSEO_PASSWORD: "password"
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
