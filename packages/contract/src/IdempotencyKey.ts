import { Schema } from "effect"

/** The header that makes a call safe to retry. Source: contract, "Idempotency"; decisions C10. */
export const idempotencyKey = {
  "idempotency-key": Schema.optionalKey(
    Schema.String.annotate({
      description:
        "1-200 characters. Within 24 hours, repeating a call with the same key and body returns the same answer, byte for byte, and charges it once."
    })
  )
}
