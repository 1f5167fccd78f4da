import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BrandEntity, Sponsored } from "@sightline/domain/Answer"
import { Mode, RoadmapMode } from "@sightline/domain/Mode"
import { FailureCode, Slot } from "@sightline/domain/Platform"
import { Region } from "@sightline/domain/Region"
import { Authorization } from "./Authorization.ts"
import { cost, mention, surface, timing } from "./CallFields.ts"
import { idempotencyKey } from "./IdempotencyKey.ts"
import { Provider } from "./PlatformName.ts"
import { InvalidModel, ModeNotYetAvailable, ModeRoadmap, spendingProblems } from "./Problem.ts"
import { choices, oneOf } from "./Choices.ts"
import { withDefault } from "./Default.ts"
import { text, words } from "./Text.ts"

/** The modes that run, and the deprecated alias. */
export const NamedMode = Schema.Literals([...Mode.literals, "realistic"]).annotate(oneOf(Mode.literals))

/** The mode of that name. */
export const modeNamed = (name: typeof NamedMode.Type): Mode => (name === "realistic" ? "perplexity_live" : name)

/** Every value of `mode`: those that run, and those that are announced. */
export const RequestedMode = Schema.Literals([...NamedMode.literals, ...RoadmapMode.literals]).annotate(
  oneOf(Mode.literals)
)

const modelId = Schema.optionalKey(text(1, 80))

/** Body of `POST /v1/check`. Source: contract, "POST /v1/check"; decisions C0, C2. */
export const CheckRequest = Schema.Struct({
  query: words(1, 500).annotate({ description: "The question to ask, 1-500 characters." }),
  brand: words(1, 100).annotate({ description: "The brand to look for, 1-100 characters." }),
  mode: withDefault(RequestedMode, "quick"),
  providers: Schema.optionalKey(
    choices(Provider).annotate({ description: "`quick` only; ignored by live modes. Default: all four." })
  ),
  region: withDefault(Region, "us"),
  city: Schema.optionalKey(
    words(1, 80).annotate({ description: "Localises ChatGPT and Claude in `quick`; ignored elsewhere." })
  ),
  models: Schema.optionalKey(
    Schema.Record(Provider, modelId).annotate({
      description: "`quick` only: a model per provider, from the ones available."
    })
  ),
  include: Schema.optionalKey(
    Schema.Array(Schema.Literals(["citations", "fan_out", "branding", "raw"])).annotate({
      description: "`branding` and `raw` add to the answer; citations and fan_out are always there."
    })
  )
}).annotate({
  identifier: "CheckRequest",
  examples: [{ query: "best running shoes", brand: "Nike", mode: "quick", region: "us" }]
})
export type CheckRequest = typeof CheckRequest.Type

/** The site behind a citation, derived from its address alone. Source: decisions C8. */
export const Branding = Schema.Struct({ name: Schema.String, domain: Schema.String, icon_url: Schema.String }).annotate(
  { identifier: "Branding" }
)

/** A source of the answer. */
export const CheckCitation = Schema.Struct({
  url: Schema.String,
  title: Schema.String,
  text: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "The passage of the answer that the page supports, at most 300 characters: in `quick`, from ChatGPT and Gemini, if they mark it."
    })
  ),
  branding: Schema.optionalKey(
    Schema.NullOr(Branding).annotate({
      description: 'With `include: ["branding"]`; null if the address has no domain.'
    })
  )
}).annotate({ identifier: "CheckCitation" })

/** What one platform said. Source: contract, "Per-provider slot fields". */
export const CheckSlot = Schema.Struct({
  ...mention,
  citations: Schema.Array(CheckCitation),
  fan_out: Schema.Array(Schema.String).annotate({
    description: "The searches that a live surface made, or the questions it suggests next; always empty in `quick`."
  }),
  brand_entities: Schema.optionalKey(
    Schema.Array(BrandEntity.annotate({ identifier: "BrandEntity" })).annotate({
      description: "Live modes only: the brands that the surface marks up."
    })
  ),
  sponsored: Schema.optionalKey(
    Schema.Array(Sponsored.annotate({ identifier: "Sponsored" })).annotate({
      description: "Adverts, never counted as mentions; empty: there were none; absent where they are not looked for."
    })
  ),
  ...surface,
  raw: Schema.optionalKey(
    Schema.String.annotate({ description: 'With `include: ["raw"]`: the answer\'s text, at most 256 KiB.' })
  )
}).annotate({ identifier: "CheckSlot", description: "What one platform answered." })
export type CheckSlot = typeof CheckSlot.Type

/** Why a platform has no slot. Source: decisions C7. */
export const CheckFailure = Schema.Struct({
  code: FailureCode,
  message: Schema.String,
  retry_after_s: Schema.optionalKey(
    Schema.Int.annotate({
      description: "Seconds to wait before asking the platform again; absent when that is unknown."
    })
  )
}).annotate({ identifier: "CheckFailure", description: "Why a platform gave no answer. It was not charged." })
export type CheckFailure = typeof CheckFailure.Type

const perSlot = <S extends Schema.Top>(schema: S) => Schema.Record(Slot, Schema.optionalKey(schema))

/** Answer of `POST /v1/check`. Source: contract, "Check result". */
export const CheckResponse = Schema.Struct({
  request_id: Schema.String,
  id: Schema.String,
  mode: Mode,
  query: Schema.String,
  brand: Schema.String,
  providers: perSlot(CheckSlot).annotate({ description: "The platforms that answered." }),
  errors: Schema.optionalKey(
    perSlot(CheckFailure).annotate({ description: "The platforms that failed; absent when none did." })
  ),
  ...timing,
  ...cost,
  cache_hit: Schema.Boolean.annotate({
    description: "Whether all answers came from the cache, at the cached price; live modes: always false."
  })
}).annotate({
  identifier: "CheckResponse",
  description: "The answers of the engines, and what they cost; engines that failed are in `errors`."
})
export type CheckResponse = typeof CheckResponse.Type

/** Headers of a successful check. */
export const CheckHeaders = {
  "x-request-id": Schema.String,
  "x-charge-id": Schema.String,
  "x-mode": Mode.annotate({ description: "The mode that ran." }),
  "x-cost-cents": Schema.String.annotate({ description: "`cost_cents` of the body." }),
  "x-balance-after-cents": Schema.String.annotate({ description: "`balance_after_cents` of the body." }),
  "x-cache-status": Schema.Literals(["hit-l1", "hit-l2", "miss"]).annotate({
    description: "Where the answers came from: the memory of the process, the shared cache, or `miss`, the engines."
  }),
  "x-ratelimit-limit": Schema.String,
  "x-ratelimit-remaining": Schema.String,
  "idempotency-replay": Schema.optionalKey(Schema.Literal("true"))
}

/** `POST /v1/check`: ask the platforms of a mode and say whether, where and in what words the brand is named. */
export class CheckApi extends HttpApiGroup.make("check")
  .add(
    HttpApiEndpoint.post("run", "/v1/check", {
      headers: idempotencyKey,
      payload: CheckRequest,
      success: HttpApiSchema.WithHeaders(CheckResponse, CheckHeaders),
      error: [...spendingProblems, InvalidModel, ModeNotYetAvailable, ModeRoadmap]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Check a brand",
        description:
          "Asks the engines of a mode a question and reports for each answer whether, at which rank and in what words it names the brand. Engines that fail are listed in `errors` and cost nothing."
      })
    )
  )
  .middleware(Authorization) {}
