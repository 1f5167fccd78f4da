import { call, operator } from "../http/program.ts"
import type { Fleet } from "./fleet.ts"

/** Keys that are taken away while processes die. Each is used at every API before, so that each API has seen it. */
export const makeRevocations = (fleet: Fleet, token: string, account: string) => {
  const revoked: Array<string> = []

  const statuses = (key: string) =>
    Promise.all(fleet.apis().map(async (base) => (await call(`${base}/v1/models`, { key })).status))

  const turn = async () => {
    const [program] = fleet.programs()
    if (program === undefined) return
    const { admin, key: make } = operator(program, token)
    const { id, key } = await make(account)
    await statuses(key)
    if ((await admin(`/keys/${id}`, undefined, "DELETE")).status === 204) revoked.push(key)
  }

  return {
    /** The keys of which an operator was told that they are gone. */
    revoked: revoked as ReadonlyArray<string>,
    /** Makes a key, has it used, and takes it away; a process that dies meanwhile is the end of that. */
    turn: () => turn().catch(() => undefined),
    /** The keys among them that an API lets in. */
    letIn: async (): Promise<ReadonlyArray<string>> => {
      const found = await Promise.all(revoked.map(async (key) => ((await statuses(key)).includes(200) ? [key] : [])))
      return found.flat()
    }
  }
}
