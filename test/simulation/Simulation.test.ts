/**
 * Whole worlds, each from one seed: the real engine on the real SQL, with order, faults and time drawn from the seed.
 *
 * Only a few run here; `npm run simulate -- --seeds N` runs any number.
 *
 * Planted in the product and seen red within a few seeds:
 * - a settlement without its state guard; a hold without a check of the balance
 * - a sweeper that voids holds too early, or never
 * - jobs that are never announced again
 * - a reply stored by a second statement
 * - a top-up that ignores its reference; a repeated top-up that is recorded
 * - a memo left out of the hash
 * - a group commit that answers the wrong caller
 * - an attempt begun while one is under way; a fourth attempt; a sender that retries at once
 * - a run compared with one whose event could not be delivered
 * - the faults listed in `docs/decisions/0014`
 */
import { Exit } from "effect"
import { assert, describe, it } from "vitest"
import { openDatabase } from "./database.ts"
import { useFirstWorld } from "./firstWorld.ts"
import { simulate } from "./simulation.ts"
import { strayMoments } from "./state.ts"
import { epoch } from "./world.ts"

const world = useFirstWorld()

describe("a world", () => {
  it("breaks no law, and leaves nothing unfinished", () => {
    assert.deepStrictEqual(world.first.broken, [])
    assert.isAbove(world.first.steps, 1_000)
  })

  it("has a trace that depends only on its seed", { timeout: 120_000 }, async () => {
    const again = await simulate(world.template, world.first.seed)
    assert.strictEqual(again.hash, world.first.hash)
    const other = await simulate(world.template, 2)
    assert.deepStrictEqual(other.broken, [])
    assert.notStrictEqual(other.hash, world.first.hash)
  })
})

it("statements and column defaults read the world's clock, and times of any other clock are detected", async () => {
  const database = await openDatabase(world.template, 3)
  const account = (id: number) =>
    `INSERT INTO accounts (id, name) VALUES (lpad('${id}', 32, '0')::uuid, 'somebody') RETURNING created_at`
  const strays = () => database.beside(strayMoments(epoch, epoch + 1_000))
  const made = await database.run(account(1), [], epoch + 500)
  assert.deepStrictEqual(made, Exit.succeed([{ created_at: new Date(epoch + 500) }]))
  assert.deepStrictEqual(await strays(), [])
  await database.run(account(2), [], Date.now())
  assert.deepStrictEqual(await strays(), ["clock: accounts.created_at was not read from the simulated clock"])
  await database.close()
})
