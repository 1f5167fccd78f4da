import { assert } from "vitest"

/** How long something may take to come, and after how long each look is followed by the next, in milliseconds. */
interface Patience {
  readonly within?: number
  readonly every?: number
}

/** Looks again and again until `look` finds something; what never comes fails the test. */
export const waitFor = async <A>(
  what: string,
  look: () => A | undefined | Promise<A | undefined>,
  { within = 60_000, every = 50 }: Patience = {}
): Promise<A> => {
  const until = Date.now() + within
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > until) assert.fail(`never: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, every))
  }
}

/** Looks again and again until something holds. */
export const waitUntil = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  patience?: Patience
): Promise<void> => {
  await waitFor(what, async () => ((await holds()) ? true : undefined), patience)
}
