import { Context, Effect, Layer } from "effect"
import { Bus } from "@sightline/actor/Bus"
import type { Answer, Question } from "@sightline/domain/Answer"
import { credits, toCents } from "@sightline/domain/Credits"
import { shippedModels } from "@sightline/domain/Model"
import { type Environment, type FailureCode, Platform, PlatformFailed } from "@sightline/domain/Platform"
import { Auditor } from "@sightline/engine/Auditor"
import type { Receipt } from "@sightline/engine/Billing"
import type { Offering } from "@sightline/engine/Subjects"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import * as PlatformActors from "@sightline/platforms/PlatformActors"
import { Accounts } from "@sightline/store/Accounts"
import { Answers } from "@sightline/store/Answers"
import { AnswerTexts } from "@sightline/store/AnswerTexts"
import { Asks } from "@sightline/store/Asks"
import { AuditRecords } from "@sightline/store/AuditRecords"
import { Charges } from "@sightline/store/Charges"
import { Discoveries } from "@sightline/store/Discoveries"
import { Flights } from "@sightline/store/Flights"
import { plainReply, type ReplyTemplate } from "@sightline/store/Replies"
import { Cooldowns } from "@sightline/store/Cooldowns"
import { Wallets } from "@sightline/store/Wallets"
import { layerDatabase } from "../store/database.ts"

/** An answer that names Globex before Acme. */
export const answer: Answer = {
  text: "1. **Globex** leads.\n2. **Acme** follows.",
  raw: "",
  citations: [],
  fanOut: [],
  brandEntities: [],
  searched: true,
  model: "told",
  finish: "stop"
}

/** A platform that fails. */
export const failed = (platform: Platform, code: FailureCode = "provider_unavailable") =>
  new PlatformFailed({ platform, code, message: "told to fail" })

/** What a platform does with a question. */
type Doing = (platform: Platform, question: Question) => Effect.Effect<Answer, PlatformFailed>

/** The questions that platforms were asked, and what they do with the next ones. */
export class Script extends Context.Service<
  Script,
  { readonly asked: Array<{ readonly platform: Platform; readonly question: Question }>; does: Doing }
>()("Script") {
  static readonly layer = Layer.sync(Script, () => ({ asked: [], does: () => Effect.succeed(answer) }))
}

/** Starts over: no question recorded, no surface is cooling down, and platforms do this. */
export const scriptPlatforms = (does: Doing = () => Effect.succeed(answer)) =>
  Effect.map(Script, (script) => {
    script.asked.length = 0
    script.does = does
    return script
  })

const actors = Layer.unwrap(
  Effect.map(Script, (script) =>
    PlatformActors.layer(
      (["live", "test"] as const).flatMap((environment) =>
        Platform.literals.map((platform) => ({
          environment,
          platform,
          capture: (question: Question) =>
            Effect.suspend(() => {
              script.asked.push({ platform, question })
              return script.does(platform, question)
            }),
          concurrency: 16,
          mailboxMax: 16
        }))
      )
    )
  )
)

/** Live keys have one surface on offer, test keys none. */
export const offering: Offering = {
  models: shippedModels,
  surfaces: { live: new Set(["perplexity_live"]), test: new Set() },
  sandboxSeed: 1
}

/** The tables that the runners of calls write and read. */
export const tables = Layer.mergeAll(
  Accounts.layer,
  Answers.layer,
  AnswerTexts.layer,
  Asks.layer,
  Charges.layer,
  Discoveries.layer,
  Flights.layer,
  Cooldowns.layer,
  Wallets.layer
)

/** Scripted platforms on an in-process bus, over a real store. */
export const layerScripted = Auditor.layer.pipe(
  Layer.provide(AuditRecords.layer),
  Layer.provideMerge(actors),
  Layer.provideMerge(
    Layer.mergeAll(Script.layer, Bus.layerMemory, Layer.mock(CaptureJournal, { record: () => Effect.void }))
  ),
  Layer.provideMerge(tables),
  Layer.provideMerge(layerDatabase)
)

/** The wallet of a new customer with this balance. */
export const purse = Effect.fnUntraced(function* (balance: number, environment: Environment = "test") {
  const { id } = yield* (yield* Accounts).create("customer")
  const wallet = { accountId: id, environment }
  if (balance > 0) yield* (yield* Wallets).topUp({ wallet, amount: credits(balance) })
  return wallet
})

const nothing = plainReply(200, "")

/** Runs a call with an empty reply. Returns its outcome and the balance after it. */
export const outcomeOf = Effect.fnUntraced(function* <Outcome, E, R>(
  run: (reply: (outcome: Outcome) => ReplyTemplate) => Effect.Effect<Receipt, E, R>
) {
  const seen: Array<Outcome> = []
  const { balance } = yield* run((outcome) => {
    seen.push(outcome)
    return nothing
  })
  const outcome = yield* Effect.fromNullishOr(seen[0])
  return { outcome, balance: toCents(balance) }
})
