/**
 * Untrusted text stays text: 200 hostile answers of engines, and hostile questions, brands, names, sources, adverts, searches,
 * endpoints and receivers' answers, from the points where they enter to every page that shows them.
 *
 * Laws: no dialog, no request to another origin, no report of the page's policy, no element made from text, no link except to the web
 * and without a referrer; less than five seconds of the page's own time for each of them.
 *
 * Planted and seen red: untrusted text as markup on a page without a policy (dialogs, elements); long texts that take seconds to
 * process.
 */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { RunList } from "@sightline/contract/WatchApi"
import { call } from "../http/program.ts"
import { decode, receiving, secret } from "../http/watching.ts"
import { go, loaded, useDashboard } from "./dashboard.ts"
import { brandOf, questionOf, startHostileEngines } from "./hostileEngines.ts"
import { startHostileReceiver } from "./hostileReceiver.ts"
import { hostileAnswers, hostileName, markOf } from "./payloads.ts"
import { waitFor } from "../http/waiting.ts"

let engines: Awaited<ReturnType<typeof startHostileEngines>>
let receiver: Awaited<ReturnType<typeof startHostileReceiver>>

const dashboard = useDashboard(async () => {
  engines = await startHostileEngines()
  receiver = await startHostileReceiver()
  return { ...engines.env, ...receiving }
})
afterAll(() => {
  engines.stop()
  receiver.stop()
})

/** The answers of a check of the four LLM APIs. */
const together = 4

let key: string
/** The checks by the number of their question, and what each page shows of them. */
const checks: Array<{ readonly id: string; readonly question: number; readonly marks: ReadonlyArray<string> }> = []
const surfaces: Array<{ readonly id: string; readonly question: number }> = []

const post = async (path: string, body: object) => {
  const answer = await call(`${dashboard.base}/v1${path}`, { key, body })
  assert.isBelow(answer.status, 300, `${JSON.stringify(body)} ${answer.text.slice(0, 500)}`)
  return answer.body
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever the body should hold
const get = async (path: string): Promise<any> => (await call(`${dashboard.base}/v1${path}`, { key })).body

const runs = async (watch: string): Promise<RunList["runs"]> => decode.runs(await get(`/watch/${watch}/runs`)).runs

beforeAll(async () => {
  key = (await dashboard.newCustomer({ environment: "live" })).key
  for (let question = 0; question < hostileAnswers; question += together) {
    const { id } = await post("/check", { query: questionOf(question), brand: brandOf(question) })
    const marks = Array.from({ length: together }, (_, more) => markOf(question + more))
    checks.push({ id, question, marks })
  }
  for (let question = 0; question < hostileAnswers; question += 20) {
    const body = { query: questionOf(question), brand: brandOf(question), mode: "chatgpt_live" }
    surfaces.push({ id: (await post("/check", body)).id, question })
  }
}, 300_000)

const withoutBlanks = (text: string) => text.replaceAll(/\s+/g, "")

/** The elements that were made from text, and the links to other sites with their attributes. Runs in the page. */
const look = () => {
  for (const details of document.querySelectorAll("details")) details.open = true
  const made =
    "img,iframe,object,embed,script,style,base,meta,link,video,audio,source,marquee,math,template,dialog,image,use,animate"
  const strange = Array.from(document.body.querySelectorAll(made), (element) => element.outerHTML.slice(0, 200))
  const handled = Array.from(document.body.querySelectorAll("*")).filter((element) =>
    element.getAttributeNames().some((name) => name.startsWith("on") || name === "srcdoc")
  )
  const away = Array.from(document.querySelectorAll("a")).filter(({ origin }) => origin !== location.origin)
  const loose = away.filter(
    ({ protocol, rel, target }) =>
      !/^https?:$/.test(protocol) || rel !== "noopener noreferrer nofollow" || target !== "_blank"
  )
  return {
    strange: [...strange, ...handled.map((element) => element.outerHTML.slice(0, 200))],
    loose: loose.map((link) => link.outerHTML.slice(0, 300)),
    text: document.querySelector("main")?.textContent ?? "",
    away: away.length
  }
}

/** The CPU time of the page's thread in milliseconds, whatever else runs on the machine. */
const workOf = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send("Performance.enable", { timeDomain: "threadTicks" })
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics")
    await session.detach()
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000
  }
}

const workMaxMillis = 5000

/** Looks at what the page shows now: no element was made from text. */
const inspect = async (page: Page) => {
  await page.waitForFunction(loaded)
  const seen = await page.evaluate(look)
  assert.deepEqual(seen.strange, [], page.url())
  assert.deepEqual(seen.loose, [], page.url())
  return seen
}

const heaviest: Array<readonly [millis: number, path: string]> = []

/** Opens a page and looks at it; less than five seconds of work. */
const visit = async (page: Page, path: string) => {
  const work = await workOf(page)
  await page.goto(dashboard.base + path)
  const seen = await inspect(page)
  const millis = await work()
  heaviest.push([millis, path])
  assert.isBelow(millis, workMaxMillis, path)
  return seen
}

describe("hostile answers are shown as text", { timeout: 300_000 }, () => {
  it(`in ${hostileAnswers} answers of LLM APIs, with their sources and excerpts, on the pages of their checks`, async () => {
    const page = await dashboard.signIn(key)
    let away = 0
    for (const { id, marks } of checks) {
      const seen = await visit(page, `/checks/${id}`)
      for (const mark of marks) assert.include(seen.text, mark)
      away += seen.away
    }
    assert.isAbove(away, hostileAnswers)
    console.log(`heaviest page: ${JSON.stringify(heaviest.toSorted(([a], [b]) => b - a).slice(0, 3))}`)
  })

  it("in brands, searches and adverts that a surface reported", async () => {
    const page = await dashboard.signIn(key)
    for (const { id, question } of surfaces) {
      const seen = await visit(page, `/checks/${id}`)
      assert.include(seen.text, markOf(question))
    }
  })

  it("in the lists of checks, with their brands and questions, to the last page", async () => {
    const page = await dashboard.signIn(key)
    await visit(page, "/checks")
    await page.getByRole("button", { name: "Show more" }).click()
    await page.getByText(`${checks.length + surfaces.length} rows`).waitFor()
    const { text } = await inspect(page)
    for (const { question } of checks) assert.include(text, `(question ${question})`)
  })

  it("in the overview: pairs, share of voice, sources and changes", async () => {
    const page = await dashboard.signIn(key)
    for (const { question } of surfaces) {
      const search = new URLSearchParams({ brand: brandOf(question), query: questionOf(question) })
      const { text } = await visit(page, `/?${search}`)
      assert.include(text, `(question ${question})`)
    }
  })

  it("in watches, what changed in their runs, deliveries and what receivers answered", async () => {
    const page = await dashboard.signIn(key)
    for (const question of [3, 30, 45]) {
      const { id } = await post("/watch", {
        query: questionOf(question),
        brand: brandOf(question),
        mode: "quick",
        interval: "hourly",
        webhook_url: receiver.url,
        webhook_secret: secret
      })
      for (const _ of [1, 2]) {
        const { run_id: run } = await post(`/watch/${id}/run`, {})
        await waitFor("the end of the run", async () =>
          (await runs(id)).find((one) => one.id === run && one.finished_at)
        )
      }
      const told = await waitFor("what is told", async () => {
        const list = (await get(`/deliveries?watch_id=${id}`)).deliveries
        return list.length > 0 && list.every(({ status }: { status: string }) => status !== "pending")
          ? list
          : undefined
      })
      const seen = await visit(page, `/watches/${id}`)
      assert.include(seen.text, `(question ${question})`)
      for (const { diff_summary: summary } of await runs(id))
        assert.include(withoutBlanks(seen.text), withoutBlanks((summary ?? "").slice(0, 60)))
      for (const delivery of told) {
        const { attempts } = await get(`/deliveries/${delivery.id}`)
        const { text } = await visit(page, `/deliveries/${delivery.id}`)
        for (const { response_excerpt: excerpt } of attempts) assert.include(text, (excerpt ?? "").slice(0, 40).trim())
      }
    }
    await visit(page, "/watches")
  })

  it("in endpoints that customers describe, and in the log of what was delivered to them", async () => {
    const page = await dashboard.signIn(key)
    for (const n of [0, 12, 25, 40, 47]) {
      const description = hostileName(n, 200)
      const { webhook } = await post("/webhooks", { url: `${receiver.url}?${n}`, description })
      await post("/ask", { prompt: questionOf(n), async: true, webhook_id: webhook.id, track_brands: [brandOf(n)] })
      const { text } = await visit(page, `/webhooks/${webhook.id}`)
      assert.include(text, description.slice(0, 40))
    }
    await waitFor("the end of the asks", async () =>
      (await get("/deliveries?status=pending")).deliveries.length === 0 ? true : undefined
    )
    await visit(page, "/webhooks")
    await visit(page, "/usage")
  })

  it("in the playground: what is typed into it and what every call answers", async () => {
    const page = await dashboard.signIn(key)
    await go(page, "Playground")
    const fill = async (form: string, fields: Readonly<Record<string, string>>) => {
      for (const [label, text] of Object.entries(fields)) {
        const field = page.getByRole("form", { name: form }).getByLabel(label, { exact: true })
        await field.fill(text.replaceAll(/[\r\n]/g, " "))
      }
    }
    const done = async (mark: string) => {
      await page.getByRole("tabpanel").getByText("request ").first().waitFor()
      const { text } = await inspect(page)
      assert.include(text, mark)
    }
    for (const question of [5, 33, hostileAnswers - 1]) {
      const work = await workOf(page)
      await page.getByRole("tab", { name: "Check" }).click()
      await fill("Check", { Question: `again ${questionOf(question)}`, Brand: brandOf(question) })
      await page.getByRole("button", { name: "Run the check" }).click()
      await done("hostile-")
      await page.getByRole("tab", { name: "Compare" }).click()
      await fill("Compare", {
        Question: `compared ${questionOf(question)}`,
        Brand: brandOf(question),
        "Brand of B": "Acme"
      })
      await page.getByRole("button", { name: "Compare", exact: true }).click()
      await page.getByRole("tabpanel", { name: "Compare" }).getByText("Difference").waitFor()
      await done("Acme")
      await page.getByRole("tab", { name: "Ask" }).click()
      await fill("Ask", { Prompt: questionOf(question), "Brands to look for": brandOf(question).replaceAll(",", "") })
      await page.getByRole("button", { name: "Ask", exact: true }).click()
      await page.getByRole("tabpanel", { name: "Ask" }).getByText("tokens in").first().waitFor()
      await done("hostile-")
      await page.getByRole("tab", { name: "Discover" }).click()
      await fill("Discover", { Brand: questionOf(question).slice(-100) })
      await page.getByRole("button", { name: /Discover/ }).click()
      await page.getByRole("tabpanel", { name: "Discover" }).getByText("questions worth asking").waitFor()
      await done("hostile-")
      assert.isBelow(await work(), workMaxMillis)
    }
  })
})
