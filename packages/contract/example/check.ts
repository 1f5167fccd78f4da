import { Console, Effect, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import * as Client from "@sightline/contract/Client"
import { follow } from "@sightline/contract/Progress"

const { SIGHTLINE_URL: baseUrl = "http://127.0.0.1:8080", SIGHTLINE_API_KEY: key = "" } = process.env

const options = { baseUrl, headers: Client.bearer(key) }

/** A call, typed by the contract: its answer, and what it may be refused with. */
const check = Effect.gen(function* () {
  const client = yield* Client.make(options)
  const { body } = yield* client.check.run({
    headers: {},
    payload: { query: "best running shoes", brand: "Nike", mode: "quick", region: "us" }
  })
  for (const [platform, { mentioned, rank }] of Object.entries(body.providers)) {
    yield* Console.log(platform, mentioned ? `names it, rank ${rank ?? "none"}` : "does not name it")
  }
  yield* Console.log("cost", body.cost_cents)
})

/** The same call, followed while it runs. */
const followed = Effect.gen(function* () {
  const http = Client.connect(options)(yield* HttpClient.HttpClient)
  yield* follow("/v1/check", { query: "best running shoes", brand: "Nike" }).pipe(
    Stream.runForEach(({ event, data }) =>
      event === "platform" ? Console.log(data.platform, data.state) : Console.log("answered with", data.status)
    ),
    Effect.provideService(HttpClient.HttpClient, http)
  )
})

/** A refusal is a value of the error channel, with the API's code. */
const refused = Effect.gen(function* () {
  const client = yield* Client.make({ baseUrl, headers: Client.bearer("lvk_test_unknown") })
  yield* client.account.models({})
}).pipe(
  Effect.catch((problem) => Console.log("refused with", "error" in problem ? problem.error.code : problem.message))
)

await Effect.runPromise(
  check.pipe(Effect.andThen(followed), Effect.andThen(refused), Effect.provide(FetchHttpClient.layer))
)
