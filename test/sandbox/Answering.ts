import { compose, type Composition, type Outcome } from "@sightline/sandbox/Composition"
import type { VendorName } from "@sightline/sandbox/Inquiry"
import type { Vendor } from "@sightline/sandbox/Vendor"
import { anthropic } from "@sightline/sandbox/wire/Anthropic"
import { gemini } from "@sightline/sandbox/wire/Gemini"
import { openAi } from "@sightline/sandbox/wire/OpenAi"
import { perplexity } from "@sightline/sandbox/wire/Perplexity"
import { Result } from "effect"
import { Headers } from "effect/http"
import { wires } from "./Vendors.ts"

/** The vendors by name, without a server. */
export const vendors: Readonly<Record<VendorName, Vendor>> = { openai: openAi, anthropic, gemini, perplexity }

/** One answer as the sandbox composed it and as its vendor wrote it, without a server. */
export interface Answered {
  readonly composition: Composition
  readonly body: unknown
}

/** Sends a question to a vendor with the settings of the service; `over` replaces fields of the body. */
export const answered = (
  vendor: VendorName,
  seed: number,
  question: string,
  outcome?: Outcome,
  over: Readonly<Record<string, unknown>> = {}
): Answered => {
  const { headers, body } = wires[vendor]
  const { inquiry, render } = Result.getOrThrow(
    vendors[vendor].read({
      body: { ...body(question), ...over },
      headers: Headers.fromInput(headers),
      params: { version: "v1", call: "gemini-3.8-flash:generateContent" }
    })
  )
  const composition = compose(seed, inquiry, outcome)
  return { composition, body: JSON.parse(JSON.stringify(render(composition))) }
}
