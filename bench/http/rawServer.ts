/** The limit of the HTTP benches: a cached check by hand on `node:http`, without a database. Prints its port. */
import { createServer } from "node:http"
import { findBrand } from "@sightline/domain/Brand"
import { answers } from "./answers.ts"

const key = "Bearer lvk_test_bench0123456789abcdef"
const cache = new Map<string, object>()
let tokens = Number.MAX_SAFE_INTEGER

interface Body {
  readonly query?: unknown
  readonly brand?: unknown
}

const found = (brand: string) =>
  Object.fromEntries(
    answers.map(({ slot, answer }) => {
      const { mentioned, rank, context } = findBrand(answer, brand)
      return [slot, { mentioned, rank, context, citations: answer.citations, fan_out: [] }]
    })
  )

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { query, brand }: Body = JSON.parse(Buffer.concat(chunks).toString())
    if (request.headers.authorization !== key || typeof query !== "string" || typeof brand !== "string") {
      response.writeHead(400).end()
      return
    }
    tokens--
    const providers = cache.get(`${brand} ${query}`) ?? found(brand)
    cache.set(`${brand} ${query}`, providers)
    const body = JSON.stringify({
      request_id: crypto.randomUUID(),
      id: crypto.randomUUID(),
      mode: "quick",
      query,
      brand,
      providers,
      created_at: new Date().toISOString(),
      duration_ms: 0,
      cost_cents: 5,
      cache_hit: true,
      balance_after_cents: 5
    })
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "x-ratelimit-remaining": String(tokens)
    })
    response.end(body)
  })
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.stdout.write(`ready ${typeof address === "object" && address !== null ? address.port : 0}\n`)
})
