import { assert } from "vitest"

/** How long to wait, and the time between two looks, in milliseconds. */
interface Patience {
  readonly within?: number
  readonly every?: number
}

/** Polls until `look` finds something. Fails the test after the time limit. */
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

/** Polls until a condition holds. */
export const waitUntil = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  patience?: Patience
): Promise<void> => {
  await waitFor(what, async () => ((await holds()) ? true : undefined), patience)
}
