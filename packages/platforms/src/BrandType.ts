const otherTypes: ReadonlySet<unknown> = new Set([
  "city",
  "country",
  "date",
  "event",
  "people",
  "person",
  "place",
  "state"
])

/**
 * Whether something that ChatGPT marks up with the given type may be a brand.
 *
 * Choice: places, people and dates are marked up like brands but are not brands. Something of an unknown type may be one.
 */
export const mayBeBrand = (type: unknown): boolean => !otherTypes.has(type)
