/**
 * Whole worlds of one seed each: the real engine on the real SQL, with order, faults and time drawn from the seed.
 *
 * Here are few; `npm run simulate -- --seeds N` runs as many as one likes.
 *
 * Planted in the product and seen red among a few seeds: a settlement without its state guard, a hold without the check of the
 * balance, a sweeper that voids holds too early or never, jobs that nobody announces again, a reply stored by a second statement,
 * a top-up that ignores its reference, a memo left out of the hash, a group commit that answers the wrong caller, an attempt begun
 * while one is under way, a repeated top-up that is recorded, a fourth attempt, a sender that tries again at once, a run compared with one
 * that could not be told; and those that `docs/decisions/0014` lists.
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
  it("breaks no law, and leaves nothing undone", () => {
    assert.deepStrictEqual(world.first.broken, [])
    assert.isAbove(world.first.steps, 1_000)
  })

  it("has a trace that follows from its seed", { timeout: 120_000 }, async () => {
    const again = await simulate(world.template, world.first.seed)
    assert.strictEqual(again.hash, world.first.hash)
    const other = await simulate(world.template, 2)
    assert.deepStrictEqual(other.broken, [])
    assert.notStrictEqual(other.hash, world.first.hash)
  })
})

it("statements and defaults read the world's clock, and a moment of another one is seen", async () => {
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
