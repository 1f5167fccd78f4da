/**
 * The pages that could not be parsed, as operators see them.
 *
 * Planted and seen red: the platform ignored; the time of the request shown in place of the capture's; the ending of another page.
 */
import { assert, it } from "vitest"
import { Samples } from "@sightline/contract/CapturesApi"
import { InvalidRequest } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { operator } from "./program.ts"
import { started } from "./started.ts"
import { sqlOn } from "./sqlOn.ts"

const { env, program } = await started()
const { admin } = operator(program, env.ADMIN_TOKEN)

const page = (environment: string, platform: string, ending: string, created_at: string) => {
  return { environment, platform, ending, created_at, html: `<p>${ending}</p>` }
}
const pages = [
  page("live", "ai_mode", "parse_error", "2026-03-01T11:00:00.000Z"),
  page("test", "bing_copilot", "container_empty", "2026-03-01T10:00:00.000Z"),
  page("test", "ai_mode", "challenge", "2026-03-01T09:00:00.000Z")
]

const shown = async (query: string) =>
  exactly(Samples)((await admin(`/captures/samples${query}`)).body).samples.map(
    ({ created_at, ending, environment, html, platform }) => ({ environment, platform, ending, created_at, html })
  )

it("200: are listed newest first, of one platform or of all", async () => {
  for (const { created_at, ending, environment, html, platform } of pages.toReversed())
    await sqlOn(
      env.DATABASE_URL,
      (sql) => sql`INSERT INTO capture_samples (environment, platform, ending, html, created_at)
        VALUES (${environment}, ${platform}, ${ending}, ${html}, ${created_at}::timestamptz)`
    )
  assert.deepStrictEqual(await shown(""), pages)
  assert.deepStrictEqual(
    await shown("?platform=ai_mode"),
    pages.filter(({ platform }) => platform === "ai_mode")
  )
  assert.deepStrictEqual(await shown("?platform=chatgpt_live"), [])
})

it("400: names an unknown platform", async () => {
  const { body, status } = await admin("/captures/samples?platform=bing")
  assert.deepStrictEqual([status, exactly(InvalidRequest)(body).error.details?.issues[0]?.path], [400, "platform"])
})
