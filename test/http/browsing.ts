import { assert } from "vitest"
import { call, type Program } from "./program.ts"

/** A signed-in browser, as the program sees it. */
export interface Browsing {
  readonly cookie: string
  readonly csrf: string
  /** The headers that the page sends with every call. */
  readonly headers: Readonly<Record<string, string>>
}

/** The origin of the program's own page. */
export const originOf = (program: Program): string => program.base

/** Tries to sign in with a key, from the program's page unless other headers are given. */
export const trySignIn = (program: Program, key: unknown, headers: object = { origin: originOf(program) }) =>
  call(`${program.base}/session`, { body: { key }, headers })

/** Signs in with a key. */
export const signIn = async (program: Program, key: string): Promise<Browsing> => {
  const { status, headers, body, text } = await trySignIn(program, key)
  assert.strictEqual(status, 201, text)
  const cookie = (headers.get("set-cookie") ?? "").split(";")[0] ?? ""
  const csrf: string = body.csrf_token
  return { cookie, csrf, headers: { cookie, origin: originOf(program), "x-csrf-token": csrf } }
}
