import type { Platform } from "./Platform.ts"
import { type Estimate, wilson } from "./Wilson.ts"

/** Answers of one platform in one time bucket that begins at `bucket`. `rankSum` is the sum of ranks over the `ranked` of them. */
export interface AnswerCount {
  readonly bucket: string
  readonly platform: Platform
  readonly answers: number
  readonly mentions: number
  readonly ranked: number
  readonly rankSum: number
}

/** How many answers named a brand, the estimate of that rate, and the mean rank. Without answers there is no estimate. */
export interface Share {
  readonly answers: number
  readonly mentions: number
  readonly estimate: Estimate | null
  readonly meanRank: number | null
}

/** A share for each time bucket that has answers, in order. */
export type ShareSeries = ReadonlyArray<Share & { readonly bucket: string }>

/** How visible a brand is: in all, over time, and by platform. */
export interface ShareReport {
  readonly total: Share
  readonly series: ShareSeries
  readonly platforms: ReadonlyArray<Share & { readonly platform: Platform; readonly series: ShareSeries }>
}

const sum = (counts: ReadonlyArray<AnswerCount>): Share => {
  let [answers, mentions, ranked, rankSum] = [0, 0, 0, 0]
  for (const count of counts) {
    answers += count.answers
    mentions += count.mentions
    ranked += count.ranked
    rankSum += count.rankSum
  }
  return {
    answers,
    mentions,
    estimate: wilson(mentions, answers),
    meanRank: ranked === 0 ? null : rankSum / ranked
  }
}

const inBucket = (bucket: string, counts: ReadonlyArray<AnswerCount>) => ({ bucket, ...sum(counts) })

const seriesOf = (counts: ReadonlyArray<AnswerCount>): ShareSeries =>
  [...Map.groupBy(counts, ({ bucket }) => bucket)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([bucket, own]) => inBucket(bucket, own))

const onPlatform = (platform: Platform, counts: ReadonlyArray<AnswerCount>) => ({
  platform,
  ...sum(counts),
  series: seriesOf(counts)
})

/**
 * Adds up how often a brand was named.
 *
 * Laws: over the series, and over the platforms, answers and mentions add up to the total; a platform's series to its own.
 */
export const sharesOf = (counts: ReadonlyArray<AnswerCount>): ShareReport => ({
  total: sum(counts),
  series: seriesOf(counts),
  platforms: [...Map.groupBy(counts, ({ platform }) => platform)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([platform, own]) => onPlatform(platform, own))
})
