import { Uuid } from "@sightline/domain/Uuid"
import type { Wallet } from "@sightline/domain/Wallet"
import type { Responding } from "@sightline/server/http/Respond"
import { owner } from "@sightline/server/keys/Owner"
import { Effect, Option, Schema } from "effect"

const idIn = Schema.decodeUnknownOption(Uuid)

/**
 * Finds the owner's item with the id in the path, and answers with `use` of it, or with `missing`.
 *
 * Laws: an id that is not a UUID is answered like an unknown one.
 */
export const withOwn = Effect.fnUntraced(function* <A, E, R, E2, R2, E3, R3>(
  text: string,
  find: (wallet: Wallet, id: string) => Effect.Effect<Option.Option<A>, E, R>,
  { missing, use }: { readonly missing: Responding<E2, R2>; readonly use: (own: A, id: string) => Responding<E3, R3> }
) {
  const id = idIn(text)
  if (Option.isNone(id)) return yield* missing
  const own = yield* find(yield* owner, id.value)
  return yield* Option.isNone(own) ? missing : use(own.value, id.value)
})
