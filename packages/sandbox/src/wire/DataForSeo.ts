import { Predicate } from "effect"
import type { Headers } from "effect/http"
import { dice } from "@sightline/sandbox/Dice"
import type { Scene } from "@sightline/sandbox/live/Scene"
import type { CaptureService, Problem, ReceivedRequest, Reply } from "@sightline/sandbox/Vendor"
import { invalidField, readTask, type Seen } from "./DataForSeoRequest.ts"
import { resultOf } from "./DataForSeoResult.ts"

const ok = { status_code: 20_000, status_message: "Ok." }

interface Outcome {
  readonly status_code: number
  readonly status_message: string
}

/** The vendor's code and message for an HTTP status, and whether it reports them only in the task, with HTTP status 200. */
const byStatus: ReadonlyMap<number, readonly [code: number, message: string, inTask: boolean]> = new Map([
  [400, [40_503, "POST Data Is Invalid.", true]],
  [401, [40_100, "You are not authorized to access this resource.", false]],
  [402, [40_200, "Payment Required.", false]],
  [403, [40_204, "Access denied.", false]],
  [404, [40_401, "Not Found.", false]],
  [408, [50_401, "Timeout.", true]],
  [429, [40_202, "Rate-limit reached: too many requests per minute.", true]],
  [503, [50_301, "3rd party API service is unavailable.", true]],
  [504, [50_401, "Timeout.", true]]
])

const outcomeOf = ({ status, code, message }: Problem) => {
  const [own, words, inTask] = byStatus.get(status) ?? [50_000, "Internal Error.", false]
  return {
    inTask: code !== undefined || inTask,
    outcome: { status_code: code === undefined ? own : Number(code), status_message: message ?? words }
  }
}

const envelope = (outcome: Outcome, tasks: ReadonlyArray<Outcome> | null, seconds: number, cost: number) => ({
  version: "0.1.20261105",
  ...outcome,
  time: `${seconds.toFixed(4)} sec.`,
  cost,
  tasks_count: tasks?.length ?? 0,
  tasks_error: (tasks ?? []).filter(({ status_code }) => status_code !== ok.status_code).length,
  tasks
})

/** The one task that was sent. */
const sent = (body: unknown): object => (Array.isArray(body) && Predicate.isObject(body[0]) ? body[0] : {})

/** The part of a request that the vendor repeats: the segments of its path, and the task with what those segments say. */
const echo = ({ body, path }: ReceivedRequest) => {
  const names = path.split("/").filter((name) => name !== "")
  const [, api, engine, kind] = names
  const data = { api, function: api === "serp" ? "live" : kind, se: engine, se_type: kind }
  return { path: names, data: { ...data, ...sent(body) } }
}

const taskOf = (outcome: Outcome, received: ReceivedRequest, result: unknown, seconds: number, cost: number) => {
  const id = received.requestId.padEnd(20, "0")
  return {
    id: `11211000-${id.slice(0, 4)}-0139-0000-${id.slice(4, 16)}`,
    ...outcome,
    time: `${seconds.toFixed(4)} sec.`,
    cost,
    result_count: result === null ? 0 : 1,
    ...echo(received),
    result: result === null ? null : [result]
  }
}

const reject = (problem: Problem, received: ReceivedRequest): Reply => {
  const { inTask, outcome } = outcomeOf(problem)
  if (!inTask) return { status: problem.status, body: envelope(outcome, null, 0, 0) }
  return { status: 200, body: envelope(ok, [taskOf(outcome, received, null, 0.1, 0)], 0.1, 0) }
}

/** The error with which the vendor reports what kept it from the answer. */
const obstacle = ({ answer, ending }: Scene, surface: Seen): Problem | undefined => {
  switch (ending?.kind) {
    case "captcha":
      return { status: 429 }
    case "region":
      return invalidField("location_code")
    case "login_wall":
      return { status: 200, code: "40104", message: "Please verify your account." }
    default:
      return answer === undefined && (surface === "chatgpt_live" || surface === "gemini_live")
        ? { status: 200, code: "40102", message: "No Search Results." }
        : undefined
  }
}

const report = (surface: Seen, scene: Scene, received: ReceivedRequest): Reply => {
  const problem = obstacle(scene, surface)
  if (problem !== undefined) return reject(problem, received)
  const draw = dice("dataforseo", received.requestId)
  const seconds = 3 + draw.next() * 9
  const task = sent(received.body)
  const found = {
    keyword: Reflect.get(task, "keyword"),
    location_code: Reflect.get(task, "location_code"),
    language_code: Reflect.get(task, "language_code"),
    datetime: `2026-11-21 ${String(draw.below(24)).padStart(2, "0")}:${String(draw.below(60)).padStart(2, "0")}:09 +00:00`,
    ...resultOf(surface, scene)
  }
  const result = scene.ending?.kind === "broken" ? "<html>" : found
  return { status: 200, body: envelope(ok, [taskOf(ok, received, result, seconds, 0.004)], seconds + 0.06, 0.004) }
}

/** The login and password of HTTP Basic, when neither is empty. */
const keyOf = (headers: Headers.Headers): string | undefined => {
  const [, encoded = ""] = /^basic\s+(\S+)\s*$/i.exec(headers["authorization"] ?? "") ?? []
  const credentials = Buffer.from(encoded, "base64").toString()
  return /^[^:]+:.+$/s.test(credentials) ? credentials : undefined
}

/** DataForSEO: its live endpoints for five of the six surfaces. */
export const dataForSeo: CaptureService<Seen> = {
  name: "dataforseo",
  surfaces: [
    ["/v3/ai_optimization/chat_gpt/llm_scraper/live/advanced", "chatgpt_live"],
    ["/v3/ai_optimization/gemini/llm_scraper/live/advanced", "gemini_live"],
    ["/v3/serp/google/organic/live/advanced", "ai_overview"],
    ["/v3/serp/google/ai_mode/live/advanced", "ai_mode"],
    ["/v3/serp/bing/organic/live/advanced", "bing_copilot"]
  ],
  keyOf,
  missingKey: { status: 401 },
  malformedJson: { status: 400 },
  unknownPath: { status: 404 },
  read: readTask,
  report,
  reject
}
