import { call, operator } from "../http/program.ts"
import type { Fleet } from "./fleet.ts"

/** Keys that are revoked while processes die. Each is first used at every API, so that every API has cached it. */
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
    /** The keys whose revocation was confirmed to an operator. */
    revoked: revoked as ReadonlyArray<string>,
    /** Makes a key, uses it and revokes it; gives up if a process dies meanwhile. */
    turn: () => turn().catch(() => undefined),
    /** The revoked keys that an API accepts. */
    letIn: async (): Promise<ReadonlyArray<string>> => {
      const found = await Promise.all(revoked.map(async (key) => ((await statuses(key)).includes(200) ? [key] : [])))
      return found.flat()
    }
  }
}
