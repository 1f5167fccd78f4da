import { type Model, ModelTable, shippedModels } from "@sightline/domain/Model"
import { BadSetting } from "@sightline/server/settings/Setting"
import type { Settings } from "@sightline/server/settings/Settings"
import { Clock, Effect, Option, Schema } from "effect"
import { readFileSync } from "node:fs"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(ModelTable))

const read = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: () => new BadSetting({ message: "MODELS_FILE cannot be read" })
  })
  return yield* Effect.mapError(
    decode(text),
    (error) => new BadSetting({ message: `MODELS_FILE is not a table of models: ${error.message.split("\n")[0]}` })
  )
})

const noticeMillis = 60 * 24 * 3600 * 1000

const expiresSoon =
  (now: number) =>
  ({ expiresAt }: Model): boolean =>
    expiresAt !== undefined && Date.parse(expiresAt) - now < noticeMillis

/** The models on offer: the shipped table, or the operator's own. Warns of those that have ended or end within 60 days. */
export const loadModels = Effect.fnUntraced(function* (settings: Settings) {
  const table = yield* Option.match(settings.modelsFile, { onNone: () => Effect.succeed(shippedModels), onSome: read })
  const soon = table
    .filter(expiresSoon(yield* Clock.currentTimeMillis))
    .map(({ id, expiresAt }) => `${id} (${expiresAt})`)
  if (soon.length > 0) yield* Effect.logWarning(`Models that have ended or end within 60 days: ${soon.join(", ")}`)
  return table
})
