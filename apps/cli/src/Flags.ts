import { Option } from "effect"
import { Argument, Flag } from "effect/cli"

/** A flag that may be left out. */
export const maybe = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

/** A flag that takes one of the contract's values and may be left out. */
export const maybeOneOf = <const A extends ReadonlyArray<string>>(name: string, values: A, description: string) =>
  Flag.Literals(name, values).pipe(Flag.withDescription(description), Flag.optional)

const areDistinct = (list: ReadonlyArray<string>): boolean => new Set(list).size === list.length

/** A flag that may be given several times, each time with another value. If it is not given, it counts as left out. */
export const several = <const A extends ReadonlyArray<string>>(name: string, values: A, description: string) =>
  Flag.Literals(name, values).pipe(
    Flag.withDescription(`${description}; may be given several times`),
    Flag.atLeast(0),
    Flag.filter(
      (list) => areDistinct(list),
      () => "each value once"
    ),
    Flag.map((list) => (list.length === 0 ? Option.none() : Option.some(list)))
  )

/** Splits `NAME=MODEL`. The model's name may contain a `=`. */
const apart = (pair: string): readonly [name: string, model: string] => {
  const at = pair.indexOf("=")
  return [pair.slice(0, at), pair.slice(at + 1)]
}

/** `NAME=MODEL`, which may be given several times, once for each name. */
export const models = Flag.String("model").pipe(
  Flag.withMetavar("NAME=MODEL"),
  Flag.withDescription("The model of a platform; may be given several times"),
  Flag.filter(
    (pair) => /^[^=]+=./.test(pair),
    () => "NAME=MODEL"
  ),
  Flag.atLeast(0),
  Flag.filter(
    (pairs) => areDistinct(pairs.map((pair) => apart(pair)[0])),
    () => "one model of each platform"
  ),
  Flag.map((pairs) => (pairs.length === 0 ? Option.none() : Option.some(Object.fromEntries(pairs.map(apart)))))
)

type Repeatable = { readonly "idempotency-key"?: string }

/** The idempotency key of a call. Shape: the header that carries it, or no header. */
export const idempotencyKey = Flag.String("idempotency-key").pipe(
  Flag.withDescription("Calls with the same key within 24 hours are one call, charged once"),
  // The characters that a header can carry.
  Flag.filter(
    (key) => /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/.test(key),
    () => "1 to 200 characters of printable ASCII without a space at either end"
  ),
  Flag.optional,
  Flag.map((given): Repeatable => (Option.isNone(given) ? {} : { "idempotency-key": given.value }))
)

/** What a new key may do. */
export const readOnly = Flag.Boolean("read-only").pipe(
  Flag.withDefault(false),
  Flag.withoutNegation,
  Flag.withDescription("A key that can neither spend nor change anything")
)

/** Which page of a list. */
export const page = {
  cursor: maybe("cursor", "The next_cursor of the page before"),
  limit: maybe("limit", "How many at most")
}

/** The id of the object that the command is about. */
export const id = Argument.String("id")

/** The flags that were given. */
export const given = <T extends Readonly<Record<string, Option.Option<unknown>>>>(
  flags: T
): { readonly [K in keyof T]?: Option.Option.Value<T[K]> } =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a mapped type that `Object.fromEntries` cannot express
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, flag]) => (Option.isSome(flag) ? [[name, flag.value]] : []))
  ) as { readonly [K in keyof T]?: Option.Option.Value<T[K]> }
