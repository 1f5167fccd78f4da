import { DateTime } from "effect"
import type { CheckFailure, CheckRequest, CheckSlot } from "@sightline/contract/CheckApi"
import type { Citation } from "@sightline/domain/Answer"
import type { Sighting } from "@sightline/domain/Check"
import { toCents } from "@sightline/domain/Credits"
import { type Platform, type PlatformFailed, slotOf, withAdverts } from "@sightline/domain/Platform"
import { siteOf } from "@sightline/domain/Site"
import type { CheckOutcome } from "@sightline/engine/CheckRunner"
import type { ReplyTemplate } from "@sightline/store/Replies"
import { withBalance } from "./BalanceAfter.ts"

type Include = NonNullable<CheckRequest["include"]>

/** Where the contract promises the span of the answer that a citation supports. */
const spanned: ReadonlySet<Platform> = new Set(["chatgpt_api", "gemini_api"])

const isLive = (platform: Platform): boolean => !platform.endsWith("_api")

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

/** The block `errors`, where there is anything to say in it. */
export const renderFailures = (failures: ReadonlyArray<PlatformFailed>) =>
  failures.length === 0
    ? {}
    : { errors: Object.fromEntries(failures.map((failure) => [slotOf(failure.platform), renderFailure(failure)])) }

/** The 200 of a check, all but the balance, which only the settling statement knows. */
export const renderCheck = (requestId: string, outcome: CheckOutcome, include: Include): ReplyTemplate => {
  const { id, check, sightings, failures, createdAt, durationMillis, charge, cache } = outcome
  const cost = toCents(charge)
  const body = {
    request_id: requestId,
    id,
    mode: check.mode,
    query: check.query,
    brand: check.brand,
    providers: Object.fromEntries(sightings.map((seen) => [slotOf(seen.platform), renderSlot(seen, include)])),
    ...renderFailures(failures),
    created_at: DateTime.formatIso(createdAt),
    duration_ms: durationMillis,
    cost_cents: cost,
    cache_hit: cache !== "miss"
  }
  return {
    ...withBalance(body),
    headers: {
      "x-request-id": requestId,
      "x-mode": check.mode,
      "x-cost-cents": String(cost),
      "x-cache-status": cache
    },
    balanceHeader: "x-balance-after-cents"
  }
}
