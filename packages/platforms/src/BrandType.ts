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
 * Whether what ChatGPT marks up with a type may be a brand.
 *
 * Choice: places, people and dates are marked up as brands are, and are none; a type that is not known may be one.
 */
export const mayBeBrand = (type: unknown): boolean => !otherTypes.has(type)
