/**
 * Queued asks whose only process dies, with its embedded services.
 *
 * Planted and seen red: free jobs not announced again; a job charged in addition to its hold.
 */
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { asking } from "../http/asking.ts"
import { books, eachOnce, jobs, queueJobs } from "../http/askingJobs.ts"
import { customer, type Program, startProgram } from "../http/program.ts"

let DATA_DIR: string
const programs: Array<Program> = []

beforeAll(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), "sightline-ask-"))
})
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()))
  await rm(DATA_DIR, { recursive: true, force: true })
})

describe("a single process", () => {
  it("kill -9 of the only process during 20 jobs: the next start does them, each charged once", async () => {
    const [SECRET_KEY, ADMIN_TOKEN] = [randomBytes(32).toString("base64"), randomBytes(16).toString("hex")]
    const start = async () => {
      const program = await startProgram({ DATA_DIR, SECRET_KEY, ADMIN_TOKEN })
      programs.push(program)
      return program
    }
    const first = await start()
    const { account, key } = await customer(first, ADMIN_TOKEN)
    const ids = await queueJobs(asking(first, key), undefined, jobs(20, "5s"))
    await first.stop("SIGKILL")
    const second = await start()
    for (const id of ids) await asking(second, key).finished(id, 90_000)
    const found = await books(second, { account, key, token: ADMIN_TOKEN }, ids)
    assert.deepEqual(found, eachOnce(ids, found))
  }, 150_000)
})
