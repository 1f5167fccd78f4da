import { type Dice, dice } from "@sightline/sandbox/Dice"
import { call, customer, type Program } from "../http/program.ts"
import { watching } from "../http/watching.ts"
import { pause } from "./fleet.ts"
import type { Invocation, Outcome } from "./history.ts"

/** A customer of the storm: its account, key, endpoint, watches and secrets. */
export interface Customer {
  readonly account: string
  readonly key: string
  readonly webhook: string
  readonly watches: ReadonlyArray<string>
  readonly secrets: ReadonlyArray<string>
}

/** A call that is repeated under its idempotency key until it is answered. */
interface Wish {
  readonly kind: "check" | "ask"
  readonly subject: string
  readonly body: object
}

/** Names the brand in some runs only, so that they fire; slowly, so that faults hit runs under way. */
const fickle = ["answer;times=1", "refusal;times=2", "answer;times=3", "refusal"]
  .map((ending) => `[[sandbox:latency=2s;${ending}]]`)
  .join(" ")

/** Makes a customer with more play credits than it can spend, an endpoint and watches, before any fault. */
export const newCustomer = async (program: Program, token: string, url: string): Promise<Customer> => {
  const { account, key } = await customer(program, token, 1_000_000)
  const { webhook } = (await call(`${program.base}/v1/webhooks`, { key, body: { url } })).body
  const watches = []
  for (const topic of ["crm", "bank", "laptop"]) {
    const wishes = { query: `best ${topic} for ${account} ${fickle}`, brand: "HubSpot", interval: "weekly" }
    watches.push((await watching(program, key).create({ ...wishes, webhook_url: url, webhook_secret: account })).id)
  }
  return { account, key, webhook: webhook.id, watches, secrets: [key, webhook.secret] }
}

/** The behaviour of engines in a call: most answer, some slowly, some not at all. */
const directives = [
  "",
  "[[sandbox:latency=1s]]",
  "[[sandbox:latency=2s]]",
  "[[sandbox:openai:status=400]]",
  "[[sandbox:gemini:malformed]] [[sandbox:anthropic:status=400]]",
  "[[sandbox:latency=3s;answer]]"
] as const

const providers = ["chatgpt", "claude", "gemini", "perplexity"] as const

const checkOf = (dice: Dice): object => ({
  // A few questions recur often, and are answered from cache.
  query: `best crm ${dice.chance(0.3) ? dice.below(20) : dice.hex(8)} ${dice.pick(directives)}`,
  brand: "HubSpot",
  ...(dice.chance(0.3) ? { providers: dice.shuffle(providers).slice(0, 1 + dice.below(3)) } : {})
})

const askOf = (dice: Dice, webhook_id: string): object => ({
  prompt: `best bank ${dice.chance(0.2) ? dice.below(20) : dice.hex(8)} ${dice.pick(directives)}`,
  mode: "standard",
  providers: dice.shuffle(["openai", "anthropic", "gemini", "perplexity"]).slice(0, 1 + dice.below(3)),
  web_search: dice.chance(0.7),
  webhook_id
})

/**
 * Customers at work: checks, queued asks and runs of watches. Each call goes to any running API, and is repeated under its key until it
 * is answered. What each caller saw is the history.
 */
export const makeCustomers = (apis: () => ReadonlyArray<string>, seed: string) => {
  const history: Array<Invocation> = []
  const wishes: Array<{ readonly customer: Customer; readonly wish: Wish }> = []
  let isStopping = false
  let givesUpAt = Number.POSITIVE_INFINITY

  const send = async (
    url: string,
    { key }: Customer,
    wish: object,
    again: Readonly<Record<string, string>>,
    patience: number
  ): Promise<Outcome> => {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...again },
        body: JSON.stringify(wish),
        signal: AbortSignal.timeout(patience)
      })
      const { headers, status } = response
      return { status, text: await response.text(), isReplay: headers.has("idempotency-replay") }
    } catch {
      return "unknown"
    }
  }

  /** One call to one of the APIs, with the caller's own timeout. */
  const attempt = async (dice: Dice, customer: Customer, kind: Invocation["kind"], subject: string, body: object) => {
    const [first, ...others] = apis()
    if (first === undefined) return "unknown"
    const path = kind === "run" ? `/v1/watch/${subject}/run` : `/v1/${kind}`
    const patience = dice.chance(0.2) ? 200 + dice.below(2000) : 10_000
    // A run has no key: each call asks for a run.
    const again = kind === "run" ? {} : { "idempotency-key": subject }
    const outcome = await send(dice.pick([first, ...others]) + path, customer, body, again, patience)
    history.push({ account: customer.account, kind, subject, outcome })
    return outcome
  }

  const insist = async (dice: Dice, customer: Customer, { body, kind, subject }: Wish) => {
    do {
      const outcome = await attempt(dice, customer, kind, subject, body)
      if (outcome !== "unknown" && outcome.status < 500 && outcome.status !== 409) return
      await pause(100 + dice.below(300))
    } while (Date.now() < givesUpAt)
  }

  /** Some calls are made twice concurrently, like those of a client that repeats slow calls. */
  const wishing = async (dice: Dice, customer: Customer, wish: Wish) => {
    wishes.push({ customer, wish })
    const times = dice.chance(0.15) ? 2 : 1
    await Promise.all(Array.from({ length: times }, () => insist(dice, customer, wish)))
  }

  const working = async (name: string, work: (dice: Dice, n: number) => Promise<unknown>) => {
    const own = dice(seed, name)
    for (let n = 0; ; n++) {
      if (isStopping) return
      await work(own, n)
      await pause(own.below(300))
    }
  }

  const work = (customer: Customer, who: number) => {
    const checking = (hand: number) =>
      working(`check ${who} ${hand}`, (dice, n) =>
        wishing(dice, customer, { kind: "check", subject: `check-${who}-${hand}-${n}`, body: checkOf(dice) })
      )
    const askingMore = working(`ask ${who}`, (dice, n) =>
      wishing(dice, customer, { kind: "ask", subject: `ask-${who}-${n}`, body: askOf(dice, customer.webhook) })
    )
    const running = working(`run ${who}`, async (dice, n) => {
      await attempt(dice, customer, "run", customer.watches[n % customer.watches.length] ?? "", {})
      await pause(dice.below(700))
    })
    return Promise.all([checking(1), checking(2), checking(3), askingMore, running])
  }

  return {
    history: history as ReadonlyArray<Invocation>,
    work,
    /** Begins no new calls; those begun are repeated until the given time. */
    stop: (until: number) => {
      isStopping = true
      givesUpAt = until
    },
    /** Requests every answer once more, until the given time. */
    repeat: async (until: number) => {
      givesUpAt = until
      const own = dice(seed, "repeat")
      const left = [...wishes]
      const repeating = async () => {
        for (let next = left.pop(); next !== undefined; next = left.pop()) await insist(own, next.customer, next.wish)
      }
      await Promise.all(Array.from({ length: 8 }, repeating))
    }
  }
}
