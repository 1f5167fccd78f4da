import { canonicalUrl } from "./CanonicalUrl.ts"
import { diffSummary } from "./DiffSummary.ts"
import type { Platform } from "./Platform.ts"
import { type Showing, type Subject, Trigger, type WatchResult } from "./Watch.ts"

/** A brand that one platform names at another place than before. */
export interface RankChange {
  readonly platform: Platform
  readonly brand: string
  readonly fromRank: number
  readonly toRank: number
}

/**
 * What is different, brand by brand.
 *
 * Shape: a watch has one brand, so the lists of brands hold it or nothing; it is in both where one platform has begun to name
 * it and another has stopped. `top3Reordered` says whether it entered, left or moved within the first three of any platform.
 * Source: contract, `delta`.
 */
interface Delta {
  readonly newBrands: ReadonlyArray<string>
  readonly droppedBrands: ReadonlyArray<string>
  readonly rankChanges: ReadonlyArray<RankChange>
  readonly top3Reordered: boolean
}

/** What a run reports; without triggers there is nothing to report. The first trigger is the contract's `trigger`. */
export interface Change {
  readonly triggers: ReadonlyArray<Trigger>
  readonly delta: Delta
  readonly summary: string
}

/** What a check found in one platform's answer, fresh or stored. */
interface Found {
  readonly platform: Platform
  readonly surfacePresent?: boolean | undefined
  readonly mentioned: boolean
  readonly rank: number | null
  readonly citations: ReadonlyArray<{ readonly url: string }>
}

/**
 * What a check found, in the form in which runs are compared: each page once, by its canonical URL or, where it has none, as it was cited.
 */
export const resultOf = (found: ReadonlyArray<Found>): WatchResult =>
  found
    .filter(({ surfacePresent }) => surfacePresent !== false)
    .map(({ platform, mentioned, rank, citations }) => ({
      platform,
      present: mentioned,
      rank,
      citations: [...new Set(citations.map(({ url }) => canonicalUrl(url) ?? url))]
    }))

/** One platform in two runs that both got its answer. */
interface Pair {
  readonly platform: Platform
  readonly was: Showing
  readonly is: Showing
}

const pairsOf = (previous: WatchResult, current: WatchResult): ReadonlyArray<Pair> =>
  current.flatMap((is) => {
    const was = previous.find(({ platform }) => platform === is.platform)
    return was === undefined ? [] : [{ platform: is.platform, was, is }]
  })

/** The pairs of a first run: before it, the brand counts as named nowhere, and the citations as unchanged because none are known. */
const beforeFirst = (current: WatchResult): ReadonlyArray<Pair> =>
  current.map((is) => ({
    platform: is.platform,
    was: { ...is, present: false, rank: null },
    is
  }))

const isTop = (rank: number | null): boolean => rank !== null && rank <= 3

/** Whether a move of a brand from one place to another, null for none, changes the first three. */
export const reordersTop3 = (from: number | null, to: number | null): boolean =>
  from !== to && (isTop(from) || isTop(to))

const sameSet = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  const urls = new Set(a)
  return urls.size === new Set(b).size && b.every((url) => urls.has(url))
}

const rankChangesOf = (pairs: ReadonlyArray<Pair>, brand: string): ReadonlyArray<RankChange> =>
  pairs.flatMap(({ platform, was, is }) =>
    was.rank === null || is.rank === null || was.rank === is.rank
      ? []
      : [{ platform, brand, fromRank: was.rank, toRank: is.rank }]
  )

/**
 * What changed from one run to the next.
 *
 * Laws: only platforms in both runs count, so a failed platform fires nothing; equal runs fire nothing; exchanging the runs
 * exchanges `mention_added` and `mention_removed`; the first run (`previous` null) fires `mention_added` or nothing.
 * Source: contract, "watch.fired"; decisions W3, W4.
 */
export const compare = (previous: WatchResult | null, current: WatchResult, subject: Subject): Change => {
  const pairs = previous === null ? beforeFirst(current) : pairsOf(previous, current)
  const added = pairs.filter(({ was, is }) => !was.present && is.present)
  const removed = pairs.filter(({ was, is }) => was.present && !is.present)
  const rankChanges = rankChangesOf(pairs, subject.brand)
  const citationChanges = pairs.filter(({ was, is }) => !sameSet(was.citations, is.citations))
  const signs: Readonly<Record<Trigger, boolean>> = {
    mention_added: added.length > 0,
    mention_removed: removed.length > 0,
    rank_changed: rankChanges.length > 0,
    citation_changed: citationChanges.length > 0
  }
  const triggers = Trigger.literals.filter((trigger) => signs[trigger] && subject.triggerOn.includes(trigger))
  return {
    triggers,
    delta: {
      newBrands: added.length > 0 ? [subject.brand] : [],
      droppedBrands: removed.length > 0 ? [subject.brand] : [],
      rankChanges,
      top3Reordered: pairs.some(({ was, is }) => reordersTop3(was.rank, is.rank))
    },
    summary: diffSummary(subject, triggers, {
      added: added.map(({ platform }) => platform),
      removed: removed.map(({ platform }) => platform),
      rankChanges,
      citationChanges
    })
  }
}
