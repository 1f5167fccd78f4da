import type { Answer } from "@sightline/domain/Answer"

/** Fewer characters than any answer has: where less was read, the reader missed it. Source: upstream reference, section 9. */
export const textMinLength = 20

/** What a surface that showed no answer comes to. */
export const noAnswer: Answer = {
  text: "",
  raw: "",
  citations: [],
  fanOut: [],
  brandEntities: [],
  surfacePresent: false,
  searched: false,
  model: "",
  finish: "stop"
}
