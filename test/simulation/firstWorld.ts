import { afterAll, beforeAll } from "vitest"
import { dropTemplate, makeTemplate } from "./database.ts"
import { type Outcome, simulate } from "./simulation.ts"

/** The seed of a world in which everything occurs. */
const seed = 1

/** The template database, and the outcome of the first world. */
export interface FirstWorld {
  readonly template: string
  readonly first: Outcome
}

/**
 * The first world for the tests of a file, run once before them.
 *
 * Shape: called at the top of the file; the result may be used within tests.
 */
export const useFirstWorld = (): FirstWorld => {
  let template = ""
  let first: Outcome

  beforeAll(async () => {
    template = await makeTemplate()
    first = await simulate(template, seed)
  }, 120_000)

  afterAll(() => dropTemplate(template))

  return {
    get template() {
      return template
    },
    get first() {
      return first
    }
  }
}
