import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "@sightline/contract/Api"
import { refuse } from "./Refusal.ts"

const later = () => refuse(503, "service_unavailable", "Not built yet.")

/** Endpoints of which only the contract is there. */
export const layer = Layer.mergeAll(
  HttpApiBuilder.group(Api, "wallet", (h) =>
    h.handle("read", later).handle("ledger", later).handle("charges", later).handle("charge", later)
  ),
  HttpApiBuilder.group(Api, "keys", (h) => h.handle("list", later).handle("create", later).handle("revoke", later))
)
