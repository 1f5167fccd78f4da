import { DateTime } from "effect"
import type { CheckFailure, CheckRequest, CheckSlot } from "@sightline/contract/CheckApi"
import type { Answer, Citation } from "@sightline/domain/Answer"
import type { Sighting } from "@sightline/domain/Check"
import { toCents } from "@sightline/domain/Credits"
import { isLlm, type Platform, type PlatformFailed, slotOf, withAdverts } from "@sightline/domain/Platform"
import { siteOf } from "@sightline/domain/Site"
import type { CheckOutcome } from "@sightline/engine/CheckRunner"
import type { ReplyTemplate } from "@sightline/store/Replies"
import { joined, type Utf8, utf8 } from "@sightline/store/Utf8"
import { membersOf, objectOf, withBalance } from "./BalanceAfter.ts"

type Include = NonNullable<CheckRequest["include"]>

/** The platforms for which the contract promises the span of the answer that a citation supports. */
const spanned: ReadonlySet<Platform> = new Set(["chatgpt_api", "gemini_api"])

const isLive = (platform: Platform): boolean => !isLlm(platform)

/** The site behind a URL as customers see it, or null. Source: decisions C8. */
export const brandingOf = (url: string) => {
  const site = siteOf(url)
  return site === null ? null : { name: site.name, domain: site.domain, icon_url: site.iconUrl }
}

const renderCitation = (platform: Platform, { url, title, text }: Citation, include: Include) => ({
  url,
  title,
  ...(text === undefined || !spanned.has(platform) ? {} : { text }),
  ...(include.includes("branding") ? { branding: brandingOf(url) } : {})
})

const renderSlot = ({ platform, answer, visibility }: Sighting, include: Include): CheckSlot => ({
  mentioned: visibility.mentioned,
  rank: visibility.rank,
  context: visibility.context,
  citations: answer.citations.map((citation) => renderCitation(platform, citation, include)),
  fan_out: isLive(platform) ? answer.fanOut : [],
  ...(isLive(platform) ? { brand_entities: answer.brandEntities } : {}),
  ...(withAdverts.has(platform) ? { sponsored: answer.sponsored ?? [] } : {}),
  ...(answer.surfacePresent === undefined ? {} : { surface_present: answer.surfacePresent }),
  ...(include.includes("raw") ? { raw: answer.raw } : {})
})

/** Why a platform has no slot, as customers see it. */
export const renderFailure = ({ code, message, retryAfterSeconds }: PlatformFailed): CheckFailure => ({
  code,
  message,
  ...(retryAfterSeconds === undefined ? {} : { retry_after_s: retryAfterSeconds })
})

/** The block `errors`, if any platform failed. */
export const renderFailures = (failures: ReadonlyArray<PlatformFailed>) =>
  failures.length === 0
    ? {}
    : { errors: Object.fromEntries(failures.map((failure) => [slotOf(failure.platform), renderFailure(failure)])) }

/** The slot that was last rendered from an answer. */
interface Rendered {
  readonly seen: Sighting
  readonly include: string
  readonly slot: Utf8
}

const rendered = new WeakMap<Answer, Rendered>()

/**
 * A platform's slot as a JSON member. Slots are most of a response, so the last rendering is cached for as long as the platform's
 * answer is in memory. The weight of an answer in `AnswerMemory` includes it.
 */
const namedSlot = (seen: Sighting, include: Include): Utf8 => {
  const last = rendered.get(seen.answer)
  const included = include.join()
  if (last?.seen === seen && last.include === included) return last.slot
  const slot = utf8(`"${slotOf(seen.platform)}":${JSON.stringify(renderSlot(seen, include))}`)
  if (!include.includes("raw")) rendered.set(seen.answer, { seen, include: included, slot })
  return slot
}

const providersName = utf8('"providers":')

/** The 200 of a check without the balance, which only the settling statement knows. */
export const renderCheck = (requestId: string, outcome: CheckOutcome, include: Include): ReplyTemplate => {
  const { id, check, sightings, failures, createdAt, durationMillis, charge, cache } = outcome
  const { mode, query, brand } = check
  const cost = toCents(charge)
  const providers = objectOf(sightings.map((seen) => namedSlot(seen, include)))
  const reply = withBalance(
    membersOf({ request_id: requestId, id, mode, query, brand }),
    joined([providersName, providers]),
    membersOf({
      ...renderFailures(failures),
      created_at: DateTime.formatIso(createdAt),
      duration_ms: durationMillis,
      cost_cents: cost,
      cache_hit: cache !== "miss"
    })
  )
  const headers = {
    "x-request-id": requestId,
    "x-mode": mode,
    "x-cost-cents": String(cost),
    "x-cache-status": cache
  }
  return { ...reply, headers, balanceHeader: "x-balance-after-cents" }
}
