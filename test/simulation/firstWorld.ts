import { afterAll, beforeAll } from "vitest"
import { dropTemplate, makeTemplate } from "./database.ts"
import { type Outcome, simulate } from "./simulation.ts"

/** Of a world in which there is something of everything. */
const seed = 1

/** A database to run worlds after, and what came of the first. */
export interface FirstWorld {
  readonly template: string
  readonly first: Outcome
}

/**
 * The first world for the tests of a file: run once, before them.
 *
 * Shape: called at the top of the file; what it returns may be used within tests.
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
