import { HttpApi, OpenApi } from "effect/http-api"
import { AccountApi } from "./AccountApi.ts"
import { withHeaders } from "./AnswerHeaders.ts"
import { withStreams } from "./AnswerStream.ts"
import { AskApi } from "./AskApi.ts"
import { CheckApi } from "./CheckApi.ts"
import { CheckHistoryApi } from "./CheckHistoryApi.ts"
import { CompareApi } from "./CompareApi.ts"
import { DeliveryApi } from "./DeliveryApi.ts"
import { DiscoverApi } from "./DiscoverApi.ts"
import { HealthApi } from "./HealthApi.ts"
import { KeyApi } from "./KeyApi.ts"
import { withOpenAnswers } from "./OpenAnswers.ts"
import { withPageLimits } from "./Page.ts"
import { withPlainSchemas } from "./PlainSchemas.ts"
import { ProgressEvent } from "./Progress.ts"
import { SessionApi, withSession } from "./SessionApi.ts"
import { VisibilityApi } from "./VisibilityApi.ts"
import { WalletApi } from "./WalletApi.ts"
import { WatchApi } from "./WatchApi.ts"
import { WebhookApi } from "./WebhookApi.ts"
import { AskCompleted, WatchFired } from "./WebhookPayload.ts"
import { withWebhooks } from "./WebhookRequests.ts"

const introduction = `Asks AI engines a question and reports whether, at which rank and in what words a brand is named.

- **Keys.** Send \`Authorization: Bearer <key>\`. A key that begins with \`lvk_test_\` asks simulated engines and spends play credits.
- **Money.** Amounts are credits; one credit is one cent. Only what an engine answered is charged.
- **Errors.** \`{ error: { code, message, details? }, request_id }\`: tell them apart by \`error.code\`. A refused call costs nothing.
- **Retries.** With an \`Idempotency-Key\`, a call that is sent again is charged once. After a 429, wait as long as \`Retry-After\` says.
- **Extension** marks what goes beyond the core of the interface.`

/** Everything a customer can call. Served as `/openapi.json` and, for people, at `/docs`. */
export class Api extends HttpApi.make("sightline")
  .add(CheckApi)
  .add(CompareApi)
  .add(DiscoverApi)
  .add(AskApi)
  .add(AccountApi)
  .add(HealthApi)
  .add(WatchApi)
  .add(WebhookApi)
  .add(DeliveryApi)
  .add(CheckHistoryApi)
  .add(VisibilityApi)
  .add(WalletApi)
  .add(KeyApi)
  .add(SessionApi)
  .annotate(OpenApi.Title, "Sightline")
  .annotate(OpenApi.Version, "1")
  // The server that the description comes from.
  .annotate(OpenApi.Servers, [{ url: "/" }])
  .annotate(OpenApi.Description, introduction)
  .annotate(HttpApi.AdditionalSchemas, [ProgressEvent, AskCompleted, WatchFired])
  .annotate(OpenApi.Transform, (description) =>
    [withPlainSchemas, withPageLimits, withHeaders, withSession, withStreams, withWebhooks, withOpenAnswers].reduce(
      (before, transform) => transform(before),
      description
    )
  )
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" }) {}
