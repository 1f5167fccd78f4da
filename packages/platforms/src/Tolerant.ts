import { Option, Predicate, Schema } from "effect"

/** A field that may be missing or null. */
export const maybe = <S extends Schema.Top>(schema: S): Schema.optionalKey<Schema.NullOr<S>> =>
  Schema.optionalKey(Schema.NullOr(schema))

type Shape = Schema.ConstraintDecoder<unknown>

/** The elements of a list that fit `shape`; none if the list is missing or not a list. */
export const fitting = <S extends Shape>(shape: S): ((list: unknown) => ReadonlyArray<S["Type"]>) => {
  const read = Schema.decodeUnknownOption(shape)
  return (list) => (Array.isArray(list) ? list.flatMap((element) => Option.toArray(read(element))) : [])
}

/** A value that fits `shape`, or null. */
export const fittingOrNull = <S extends Shape>(shape: S): ((value: unknown) => S["Type"] | null) => {
  const read = Schema.decodeUnknownOption(shape)
  return (value) => Option.getOrNull(read(value))
}

/**
 * The elements of a list whose `type` is one of the keys and whose value fits the shape of that key. Vendors add types at
 * any time: other types are skipped, without the cost of failing to decode them.
 */
export const known = <const Shapes extends Readonly<Record<string, Shape>>>(shapes: Shapes) => {
  type Known = { [Type in keyof Shapes]: { readonly type: Type; readonly value: Shapes[Type]["Type"] } }[keyof Shapes]
  const readers = new Map(Object.entries(shapes).map(([type, shape]) => [type, Schema.decodeUnknownOption(shape)]))
  return (list: unknown): ReadonlyArray<Known> => {
    if (!Array.isArray(list)) return []
    return list.flatMap((element: unknown) => {
      const type = Predicate.hasProperty(element, "type") && typeof element.type === "string" ? element.type : ""
      const value = readers.get(type)?.(element)
      return value !== undefined && Option.isSome(value) ? [{ type, value: value.value }] : []
    })
  }
}
