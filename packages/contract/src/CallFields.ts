import { Schema } from "effect"
import { instant } from "./Instant.ts"

/** The cost fields of every paid call. Units: credits. */
export const cost = {
  cost_cents: Schema.Finite.annotate({ description: "Credits charged." }),
  balance_after_cents: Schema.Finite.annotate({ description: "Credits left in the wallet after the call." })
}

/** When a call was made, and how long it took. */
export const timing = {
  created_at: instant.annotate({ description: "When the call began." }),
  duration_ms: Schema.Int.annotate({ description: "How many milliseconds it took." })
}

/** Whether an answer names the brand, and where. */
export const place = {
  mentioned: Schema.Boolean,
  rank: Schema.NullOr(Schema.Int).annotate({
    description: "The place of the brand among the brands in the answer, from 1; null when it is not mentioned."
  })
}

/** Whether an answer names the brand, where, and in what words. */
export const mention = {
  ...place,
  context: Schema.String.annotate({
    description: "The sentence that names the brand, with its neighbours; empty when it is not mentioned."
  })
}

/** Whether a live surface showed an answer. */
export const surface = {
  surface_present: Schema.optionalKey(
    Schema.Literal(false).annotate({
      description: "Live modes only: false when the surface showed no AI answer to the question; absent otherwise."
    })
  )
}
