import type { Dice } from "@sightline/sandbox/Dice"
import type { Market } from "./Market.ts"
import type { Source } from "./Source.ts"
import type { Span } from "./Span.ts"

/** The input for writing one answer. `place` is the words with which the answer names the reader's location, or "". */
export interface Brief extends Market {
  readonly sources: ReadonlyArray<Source>
  readonly place: string
  readonly draw: Dice
}

/** A sentence with the sources that could support it: the brand's own page, a review, sometimes both, sometimes none. */
export const claim = ({ sources, draw }: Brief, text: string, brand?: string): Span => {
  const own = sources.findIndex((source) => brand !== undefined && source.brand === brand)
  const reviews = sources.flatMap((source, index) => (source.brand === undefined ? [index] : []))
  const review = reviews[draw.below(reviews.length)]
  const cites = [own === -1 ? undefined : own, draw.chance(own === -1 ? 0.5 : 0.25) ? review : undefined]
  return { text, cites: cites.filter((index) => index !== undefined) }
}

/** Two different traits and a kind of buyer, drawn for one sentence. */
export const angle = ({ topic, draw }: Brief): { first: string; second: string; buyer: string } => {
  const [first = "quality", second = "value"] = draw.shuffle(topic.traits)
  return { first, second, buyer: topic.buyers[draw.below(topic.buyers.length)] ?? "most people" }
}
