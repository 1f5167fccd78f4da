/** A process with one capture under way that never ends: `node browsingProcess.ts CHROMIUM`. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { captured, browsing } from "./Captures.ts"
import { html, startSite } from "./LocalSite.ts"

const [chromium = ""] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const hanging = () => void process.stdout.write("capturing\n")
  const page = html(`<i class="busy">busy</i>`, `fetch("/begun")`)
  const { origin } = yield* Effect.promise(() => startSite({ "/": page, "/begun": hanging }))
  yield* captured(origin)
}).pipe(Effect.provide(browsing({ chromium })))

NodeRuntime.runMain(program)
