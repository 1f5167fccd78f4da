/** The site of the browser bench: a page that streams an answer of 40 sentences within a second. Sends its port to its parent. */
import { createServer } from "node:http"

const sentences = Array.from(
  { length: 40 },
  (_, index) => `Sentence ${index} of the answer names a brand, says what it is good at, and cites a source [${index}].`
)
const everyMillis = 25

const script = `
  const answer = document.querySelector("#answer")
  const read = async () => {
    const reader = (await fetch("/stream", { method: "POST" })).body.getReader()
    const decoder = new TextDecoder()
    let left = ""
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const parts = (left + decoder.decode(value, { stream: true })).split("\\n\\n")
      left = parts.pop()
      for (const part of parts) {
        const event = JSON.parse(part.slice("data: ".length))
        if (event.type === "end") document.querySelector("#stop").remove()
        else answer.appendChild(document.createElement("p")).textContent = event.text
      }
    }
  }
  read()`

const page = `<!doctype html><html lang="en"><head><title>Answers</title>
<style>body { font: 16px sans-serif; margin: 2em } p { line-height: 1.5 } nav a { padding: 4px }</style></head><body>
<nav>${Array.from({ length: 20 }, (_, index) => `<a href="/topic/${index}">Topic ${index}</a>`).join("")}</nav>
<main><div id="answer"></div><button id="stop">Stop</button></main><img src="/logo.png" alt=""><script>${script}</script></body></html>`

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

const server = createServer((request, response) => {
  if (request.url !== "/stream") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page)
    return
  }
  response.writeHead(200, { "content-type": "text/event-stream" })
  let next = 0
  const timer = setInterval(() => {
    const text = sentences[next++]
    if (text !== undefined) return void response.write(event({ type: "text", text }))
    clearInterval(timer)
    response.end(event({ type: "end" }))
  }, everyMillis)
  response.on("close", () => clearInterval(timer))
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.(typeof address === "object" && address !== null ? address.port : 0)
})
