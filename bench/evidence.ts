/**
 * How often watches fire while answers vary only by chance, and how soon they detect a change: the figures of
 * `docs/evidence.md`. Always replays synthetic watches of known rates, and AI Product Bench if `SIGHTLINE_BENCH_DATA` names
 * its folder. Every figure is the same on every run.
 */
import { noEvidence } from "@sightline/domain/Evidence"
import type { Platform } from "@sightline/domain/Platform"
import { Trigger } from "@sightline/domain/Watch"
import { dice } from "@sightline/sandbox/Dice"
import {
  type Change,
  countAlarms,
  everFires,
  firstFired,
  percent,
  runsBefore,
  seed,
  unchangedRuns,
  watchesAt,
  within
} from "./Alarms.ts"
import { type Cast, type Followed, followedIn, type Likeness, rateOf, runsOf } from "./Replay.ts"

const casts: Readonly<Record<string, Cast>> = {
  "quick, 4 answers": [
    ["chatgpt_api", 0],
    ["claude_api", 0],
    ["gemini_api", 1],
    ["perplexity_api", 1]
  ],
  "all_live, 6 answers": [
    ["chatgpt_live", 0],
    ["perplexity_live", 0],
    ["bing_copilot", 0],
    ["gemini_live", 1],
    ["ai_overview", 1],
    ["ai_mode", 1]
  ],
  "one surface": [["ai_mode", 1]]
}

const unchanged = (name: string, cast: Cast, watches: ReadonlyArray<Followed>): void => {
  let everyChange = 0
  const alarmed = new Map<Trigger, number>()
  let alarmedAtAll = 0
  let alarms = 0
  for (const [index, followed] of watches.entries()) {
    const rolls = dice(seed, "unchanged", name, index)
    const counts = countAlarms(runsOf(rolls, unchangedRuns, cast, followed), noEvidence)
    everyChange += counts.everyChange
    alarms += counts.alarms
    if (counts.evidence.size > 0) alarmedAtAll++
    for (const trigger of counts.evidence.keys()) alarmed.set(trigger, (alarmed.get(trigger) ?? 0) + 1)
  }
  console.log(`  unchanged, ${unchangedRuns} runs each:`)
  console.log(`    every_change: runs that fire       ${percent(everyChange, watches.length * (unchangedRuns - 1))}`)
  console.log(`    evidence: runs that fire           ${percent(alarms, watches.length * unchangedRuns)}`)
  console.log(`    evidence: watches that ever fire   ${percent(alarmedAtAll, watches.length)}`)
  for (const trigger of Trigger.literals) {
    console.log(`      ${trigger.padEnd(18)}               ${percent(alarmed.get(trigger) ?? 0, watches.length)}`)
  }
}

/** Classes of watches by the share of answers that name the brand. The last three are unions of others. */
const classes: ReadonlyArray<readonly [from: number, below: number]> = [
  [0, 0.3],
  [0.3, 0.5],
  [0.5, 0.6],
  [0.6, 0.7],
  [0.7, 0.8],
  [0.8, 1],
  [0.5, 1],
  [0.6, 1],
  [0, 1]
]

const changes: Readonly<Record<string, Change>> = {
  "removed everywhere": [{}, { removed: true }, "mention_removed"],
  "added everywhere": [{ removed: true }, {}, "mention_added"],
  "three places lower": [{}, { ranksLower: 3 }, "rank_changed"],
  "other pages cited": [{}, { otherPages: true }, "citation_changed"]
}

const flips = (watches: ReadonlyArray<Followed>, cast: Cast): void => {
  let pairs = 0
  let flipped = 0
  let recited = 0
  for (const [index, followed] of watches.entries()) {
    const [one = [], other = []] = runsOf(dice(seed, "flips", index), 2, cast, followed)
    for (const was of one) {
      const is = other.find(({ platform }) => platform === was.platform)
      if (is === undefined) continue
      pairs++
      if (was.present !== is.present) flipped++
      if (was.citations.join(" ") !== is.citations.join(" ")) recited++
    }
  }
  console.log(
    `  two runs of an unchanged watch: presence differs ${percent(flipped, pairs)}, citations ${percent(recited, pairs)}`
  )
}

/** Ways in which answers resemble each other. */
const likenesses: ReadonlyArray<readonly [name: string, likeness: Likeness]> = [
  ["as the run before, 1 in 4", { before: 0.25 }],
  ["as the run before, 1 in 2", { before: 0.5 }],
  ["as the run before, 3 in 4", { before: 0.75 }],
  ["as the one beside, 1 in 4", { beside: 0.25 }],
  ["as the one beside, 1 in 2", { beside: 0.5 }],
  ["as the one beside, always", { beside: 1 }]
]

const folder = process.env["SIGHTLINE_BENCH_DATA"]
if (folder !== undefined) {
  const watches = followedIn(folder)
  console.log(`AI Product Bench: ${watches.length} watches (question and brand), seed ${seed}`)
  for (const [name, cast] of Object.entries(casts)) {
    console.log(`\n${name}`)
    flips(watches, cast)
    unchanged(name, cast, watches)
    for (const [kind, change] of Object.entries(changes)) {
      console.log(`  ${kind} after ${runsBefore} runs, ${change[2]} within 1, 3, 5, 8 runs:`)
      const first = firstFired(cast, watches, name, change)
      for (const [from, below] of classes) {
        const own = first.filter((_, index) => {
          const followed = watches[index]
          const rate = followed === undefined ? 0 : rateOf(cast, followed)
          return rate >= from && rate < below
        })
        if (own.length > 0) console.log(`    rate ${from.toFixed(1)}–${below.toFixed(1)}  ${within(own)}`)
      }
    }
    console.log(`  unchanged, answers that resemble each other; watches that ever fire:`)
    for (const [kind, likeness] of likenesses) {
      console.log(`    ${kind}   ${everFires(cast, watches, ["unchanged", name], likeness)}`)
    }
  }
}

/** Synthetic watches of a cast whose platforms all name the brand at the same rate. */
const madeUpAt = (name: string, cast: Cast, rates: ReadonlyArray<number>): void => {
  console.log(
    `\n${name}, ${cast.length} answers a run, all at one rate: ever fires in 100 unchanged runs; removal within 1, 3, 5, 8 runs`
  )
  for (const rate of rates) {
    const watches = watchesAt(rate)
    const removal = within(firstFired(cast, watches, `${name} ${rate}`, [{}, { removed: true }, "mention_removed"]))
    console.log(`  rate ${rate.toFixed(2)}  ${everFires(cast, watches, [name, rate])}   ${removal}`)
  }
}

const platforms: ReadonlyArray<Platform> = ["chatgpt_api", "claude_api", "gemini_api", "perplexity_api"]
madeUpAt(
  "made up",
  platforms.map((platform) => [platform, 0]),
  [0.1, 0.3, 0.5, 0.6, 0.7, 0.9]
)
madeUpAt("made up, one surface", [["ai_mode", 0]], [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1])

for (const [name, cast] of Object.entries(casts)) {
  const [[only] = []] = cast
  if (only === undefined || cast.length === 1) continue
  console.log(`\n${name}, all at one rate: removed on one platform only, within 1, 3, 5, 8 runs`)
  for (const rate of [0.5, 0.7, 0.9, 1]) {
    const change: Change = [{}, { only, removed: true }, "mention_removed"]
    console.log(
      `  rate ${rate.toFixed(2)}  ${within(firstFired(cast, watchesAt(rate), `${name} only ${rate}`, change))}`
    )
  }
}
