import { Api } from "@sightline/contract/Api"
import { type SessionFound, SignIn } from "@sightline/contract/SessionApi"
import type { Caller } from "@sightline/domain/ApiKey"
import { refuse, unauthorized } from "@sightline/server/http/Refusal"
import { decodeJson, withBody } from "@sightline/server/http/RequestBody"
import { RequestId } from "@sightline/server/http/RequestId"
import { respond } from "@sightline/server/http/Respond"
import { refuseUnexpectedInput } from "@sightline/server/http/UnexpectedInput"
import { Keyring } from "@sightline/server/keys/Keyring"
import { csrfOf, isOwnPage, mayChange, tokenOf, withCookie, withoutCookie } from "@sightline/server/keys/SessionCookie"
import { limitedByAddress } from "@sightline/server/keys/SignInLimit"
import { Principal } from "@sightline/store/Principal"
import { type Session, Sessions } from "@sightline/store/Sessions"
import { Effect, Option, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

const decode = decodeJson(SignIn)

const show = (token: string, { caller, expiresAt }: Session, status?: number) =>
  respond<SessionFound>(
    {
      key_id: caller.keyId,
      environment: caller.environment,
      read_only: caller.readOnly,
      csrf_token: csrfOf(token),
      expires_at: expiresAt
    },
    status
  )

const found = Effect.gen(function* () {
  const token = tokenOf(yield* HttpServerRequest.HttpServerRequest)
  if (token === undefined) return Option.none()
  const session = yield* (yield* Keyring).findSession(token)
  return Option.map(session, (known) => ({ token, session: known }))
})

/** Runs an effect with a key, or one of its sessions, as the recorded principal. */
const as = <A>(kind: "key" | "session", { keyId }: Caller, act: Effect.Effect<A>) =>
  Effect.flatMap(RequestId, (requestId) => Effect.provideService(act, Principal, { kind, keyId, requestId }))

const end = Effect.fnUntraced(function* ({ token, session }: { readonly token: string; readonly session: Session }) {
  yield* as("session", session.caller, (yield* Sessions).end(Redacted.make(token)))
  yield* (yield* Keyring).forget
})

const open = withBody(
  decode,
  Effect.fnUntraced(function* ({ key }) {
    const caller = yield* (yield* Keyring).find(key)
    if (Option.isNone(caller)) return yield* unauthorized("This API key is not valid.")
    const before = yield* found
    const { create } = yield* Sessions
    const { token, expiresAt } = yield* as("key", caller.value, create(caller.value.keyId))
    // The browser loses the token of its previous session with this reply, so nobody could end that session later.
    if (Option.isSome(before)) yield* end(before.value)
    const text = Redacted.value(token)
    return withCookie(yield* show(text, { caller: caller.value, expiresAt }, 201), text)
  })
)

const foreignPage = refuse(403, "forbidden", "Sign in on the dashboard's own page.")

// Otherwise another site could sign a visitor in to an attacker's account, and the attacker could read what the visitor does.
const signIn = (request: HttpServerRequest.HttpServerRequest) =>
  isOwnPage(request) ? limitedByAddress(open(request)) : foreignPage

const read = Effect.flatMap(
  found,
  Option.match({
    onNone: () => unauthorized("Nobody is signed in."),
    onSome: ({ token, session }) => show(token, session)
  })
)

const signOut = Effect.gen(function* () {
  const known = yield* found
  if (Option.isSome(known)) {
    if (!mayChange(yield* HttpServerRequest.HttpServerRequest, known.value.token))
      return yield* refuse(403, "forbidden", "Sign out on the dashboard's own page.")
    yield* end(known.value)
  }
  return withoutCookie(HttpServerResponse.empty())
})

/** `/session`: signs browsers in and out. */
export const layer = HttpApiBuilder.group(Api, "session", (handlers) =>
  handlers
    .handleRaw("signIn", (called) => refuseUnexpectedInput(called, signIn(called.request)))
    .handle("read", (called) => refuseUnexpectedInput(called, read))
    .handle("signOut", (called) => refuseUnexpectedInput(called, signOut))
)
