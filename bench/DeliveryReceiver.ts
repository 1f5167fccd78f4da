/**
 * The process that receives the deliveries of `Deliveries.bench.ts`: reads each body and answers 200. It sends its port to its
 * parent. After a message with a number, it sends the time at which it has received that many more.
 */
import { readFileSync } from "node:fs"
import { createServer } from "node:https"

const fixture = (name: string) => readFileSync(new URL(`../test/fixtures/egress/${name}`, import.meta.url))

let left = 0

const server = createServer({ key: fixture("receiver.key"), cert: fixture("receiver.crt") }, (request, response) => {
  request.resume()
  request.on("end", () => {
    response.writeHead(200, { "content-length": 0 }).end()
    if (--left === 0) process.send?.(performance.timeOrigin + performance.now())
  })
})

server.listen(0, "127.0.0.1", () => {
  const bound = server.address()
  process.send?.(typeof bound === "object" ? bound?.port : undefined)
})
process.on("message", (count) => {
  left = Number(count)
})
process.on("disconnect", () => process.exit())
