import { Egress } from "@sightline/egress/Egress"
import { refuseField } from "@sightline/server/http/Refusal"
import { Effect } from "effect"
import { refusing } from "./IdempotentChange.ts"

/** Refuses a URL that may not be called later, under the name of its field. */
export const vet = (path: string, url: string) =>
  Effect.flatMap(Egress, (egress) => egress.vet(url)).pipe(
    Effect.catch(({ reason }) => refusing(refuseField({ path, message: `may not be called: ${reason}` })))
  )
