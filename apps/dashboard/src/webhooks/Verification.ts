/** A request as a receiver got it, and the secret that it should be signed with. */
export interface Signed {
  readonly secret: string
  readonly body: string
  /** The value of `x-svc-signature` or of `x-svc-signature-legacy`. */
  readonly signature: string
}

/** A change of the body or the secret that explains why the signature does not match. */
export type Slip = "line_end_added" | "line_end_missing" | "line_ends" | "reformatted" | "secret_blanks"

/** The result of a verification. Units: seconds; `age` is negative for a time in the future, null if no time is signed. */
export type Verdict =
  | { readonly is: "genuine"; readonly age: number | null }
  | { readonly is: "stale"; readonly age: number }
  | { readonly is: "missing"; readonly what: "secret" | "signature" }
  | { readonly is: "unknown_shape" }
  | { readonly is: "wrong_length"; readonly length: number }
  | { readonly is: "not_hex"; readonly at: number }
  | { readonly is: "wrong"; readonly slip: Slip | null }

/** How old a signed time may be, and how far in the future. Source: docs/webhooks.md, "Checking a signature". */
export const freshSeconds = 300

const digits = 64

/** A parsed header. `before` is the text that is signed in front of the body. */
interface Taken {
  readonly hex: string
  readonly before: string
  readonly signedAt: number | null
}

const take = (header: string): Taken | undefined => {
  if (!/[=,]/.test(header)) return { hex: header, before: "", signedAt: null }
  const [, moment, hex] = /^t=(\d{1,15}),v1=([^=,]*)$/.exec(header) ?? []
  return moment === undefined || hex === undefined ? undefined : { hex, before: `${moment}.`, signedAt: Number(moment) }
}

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const matches = async ({ hex, before }: Taken, secret: string, body: string): Promise<boolean> => {
  const encoder = new TextEncoder()
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"])
  return crypto.subtle.verify("HMAC", key, bytesOf(hex), encoder.encode(before + body))
}

const compact = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return body
  }
}

// The usual changes of a body or a secret by copying and parsing, undone.
const slips: ReadonlyArray<readonly [Slip, (signed: Signed) => Signed]> = [
  ["secret_blanks", (signed) => ({ ...signed, secret: signed.secret.trim() })],
  ["line_end_added", (signed) => ({ ...signed, body: signed.body.replace(/[\r\n]+$/, "") })],
  ["line_end_missing", (signed) => ({ ...signed, body: `${signed.body}\n` })],
  ["line_ends", (signed) => ({ ...signed, body: signed.body.replaceAll("\n", "\r\n") })],
  ["reformatted", (signed) => ({ ...signed, body: compact(signed.body) })]
]

const slipOf = async (taken: Taken, signed: Signed): Promise<Slip | null> => {
  for (const [slip, undo] of slips) {
    const { secret, body } = undo(signed)
    if (secret !== "" && (await matches(taken, secret, body))) return slip
  }
  return null
}

const misshapen = ({ hex }: Taken): Verdict | undefined => {
  const at = hex.search(/[^0-9a-f]/)
  if (at >= 0) return { is: "not_hex", at }
  return hex.length === digits ? undefined : { is: "wrong_length", length: hex.length }
}

/**
 * Whether a body was signed with a secret, and if not, what is wrong.
 *
 * Shape: the signature may be pasted with its header's name; `now` is in seconds since 1970.
 * Laws: genuine exactly if `Signature.sign` made the signature of these bytes with this secret and, if a time is signed, at
 * most `freshSeconds` away from `now`.
 * Errors: none. Needs WebCrypto, which a browser has on https and on localhost only.
 */
export const verify = async (signed: Signed, now: number): Promise<Verdict> => {
  const header = signed.signature.trim().replace(/^x-svc-signature(?:-legacy)?:\s*/i, "")
  if (signed.secret === "") return { is: "missing", what: "secret" }
  if (header === "") return { is: "missing", what: "signature" }
  const taken = take(header)
  if (taken === undefined) return { is: "unknown_shape" }
  const wrong = misshapen(taken)
  if (wrong !== undefined) return wrong
  if (!(await matches(taken, signed.secret, signed.body))) return { is: "wrong", slip: await slipOf(taken, signed) }
  if (taken.signedAt === null) return { is: "genuine", age: null }
  const age = now - taken.signedAt
  return { is: Math.abs(age) > freshSeconds ? "stale" : "genuine", age }
}
