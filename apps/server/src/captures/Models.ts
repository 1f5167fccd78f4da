import { fieldIssues } from "@sightline/contract/FieldIssues"
import { type Model, ModelTable, shippedModels } from "@sightline/domain/Model"
import { BadSetting } from "@sightline/server/settings/Setting"
import type { Settings } from "@sightline/server/settings/Settings"
import { Clock, Effect, Option, Schema } from "effect"
import { readFileSync } from "node:fs"

// A misspelt optional field would otherwise be left out without a word.
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(ModelTable), { onExcessProperty: "error" })

/** What is wrong with a table, in one line: the place of the first fault, such as `3.webSearch`, and what it must be. */
const faultOf = ({ issue }: Schema.SchemaError): string => {
  const [{ path, message } = { path: "", message: "" }] = fieldIssues(issue)
  return path === "" ? message : `\`${path}\` ${message}`
}

const read = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: () => new BadSetting({ message: "MODELS_FILE cannot be read" })
  })
  return yield* Effect.mapError(
    decode(text),
    (error) => new BadSetting({ message: `MODELS_FILE is not a table of models: ${faultOf(error)}` })
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
