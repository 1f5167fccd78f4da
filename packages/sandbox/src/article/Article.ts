import { angle, type Brief, claim } from "./Brief.ts"
import { formatFor } from "./Formats.ts"
import { plain, type Span } from "./Span.ts"

const openingLine = (brief: Brief): string => {
  const { topic, picks, named, place, draw } = brief
  const [best, next = topic.noun] = picks
  const { first, buyer } = angle(brief)
  if (named.length > 1) {
    return draw.pick([
      `Both ${named.slice(0, 2).join(" and ")} are sound choices${place}; the right one depends on how much you value ${first}.`,
      `It is close${place}: ${best} leads on ${first}, while ${next} is easier to recommend for ${buyer}.`
    ])
  }
  return draw.pick([
    `The strongest ${topic.noun}${place} right now come from **${best}** and **${next}**, with good alternatives behind them.`,
    `There is no single winner, but for ${buyer} **${best}** is where most reviewers start${place}.`,
    `Among ${topic.noun}${place}, ${best} is named most often for its ${first}.`,
    `It depends on your budget and on how much you care about ${first}. The usual shortlist${place} starts with ${best} and ${next}.`
  ])
}

const advice = (brief: Brief): ReadonlyArray<Span> => {
  const { first, second, buyer } = angle(brief)
  return [
    plain("\n**How to choose**\n\n"),
    claim(
      brief,
      brief.draw.pick([
        `Start from how you will use it: for ${buyer}, put ${first} before ${second}.`,
        `Compare ${first} first and the price second; returns are easiest within 30 days.`,
        `Try two of them side by side where you can – a page tells you little about ${first}.`
      ])
    ),
    plain(" "),
    plain(
      brief.draw.pick([
        "Prices change often, so check the current offer before you decide.",
        "Most of them have a trial or a return period – use it.",
        "Independent tests age quickly; look at the date before you trust one."
      ])
    ),
    plain("\n")
  ]
}

const closingLine = (brief: Brief): string => {
  const [best, next = "an alternative"] = brief.picks
  const { first, buyer } = angle(brief)
  return brief.draw.pick([
    `Would you like me to narrow this down for ${buyer}?`,
    "If you tell me your budget, I can shorten the list.",
    `In short: ${best} if you want the least risk, ${next} if you put ${first} first.`
  ])
}

/** Writes the answer: an opening, the brands in one of several layouts, in most cases advice, and a closing line. */
export const writeArticle = (brief: Brief): ReadonlyArray<Span> => [
  claim(brief, openingLine(brief), brief.picks[0]),
  plain("\n\n"),
  ...formatFor(brief)(brief),
  ...(brief.draw.chance(0.75) ? advice(brief) : []),
  plain(`\n${closingLine(brief)}`)
]
