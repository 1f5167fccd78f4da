import { type Folded, fold } from "./Fold.ts"
import { type Head, headsOf, structured } from "./Heads.ts"
import { isBoundary } from "./Letters.ts"
import { namesBefore, recurringNames } from "./Names.ts"
import { brandKey } from "./Naming.ts"
import { type Span, statedOrdinal } from "./Ordinal.ts"

interface Entity {
  readonly key: string
  readonly from: number
}

/** A brand that the surface marks up, where its text names it first. */
interface SurfaceEntity extends Entity {
  readonly name: string
}

/** The first place where a surface's own entity is named as a whole, or -1. */
const firstNamed = (text: string, name: string): number => {
  if (name === "") return -1
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + name.length)) return at
  }
  return -1
}

/** The surface's own entities that its text names. */
export const surfaceEntities = ({ text, origin }: Folded, names: ReadonlyArray<string>): ReadonlyArray<SurfaceEntity> =>
  names.flatMap((name) => {
    const key = fold(name).text.trim()
    const at = firstNamed(text, key)
    return at < 0 ? [] : [{ key, name: name.trim(), from: origin(at) }]
  })

// Several answers long: what stands further above or below was written for something else.
const furthestRival = 16 * 1024

const textEntities = (text: string, since: number, heads: ReadonlyArray<Head>, first: Span): ReadonlyArray<Entity> => {
  const named = heads.filter((head) => head.isName)
  const entities = named.map(({ name, from }) => ({ key: brandKey(name), from }))
  const inSeries = namesBefore(text, first.from)
  return named.length >= structured
    ? [...entities, ...inSeries]
    : [...entities, ...inSeries, ...recurringNames(text, since, first.from)]
}

/**
 * The 1-based place of a brand among the brands of an answer: the place the answer states, else the order of first
 * appearance.
 *
 * Shape: `folded` is `text` folded; `mentions` are where the brand stands, its first counted mention first; `called` is
 * what the brand is called among brands; `surfaceNames` are the surface's own entities and replace those read from the
 * text where there are any.
 * Laws: at least 1.
 * Source: decisions C5.
 */
export const rankOf = (
  text: string,
  folded: Folded,
  mentions: readonly [Span, ...Array<Span>],
  called: ReadonlyArray<string>,
  surfaceNames: ReadonlyArray<string>
): number => {
  const [first] = mentions
  const near = mentions.filter(({ from }) => from < first.from + furthestRival)
  const since = Math.max(0, first.from - furthestRival)
  const heads = headsOf(
    text,
    since,
    first.to,
    near.reduce((end, { to }) => Math.max(end, to), 0)
  )
  const stated = statedOrdinal(text, near, heads)
  if (stated !== undefined) return stated
  const own = new Set(called)
  for (const head of heads) if (first.from >= head.from && first.to <= head.to) own.add(brandKey(head.name))
  const entities =
    surfaceNames.length > 0 ? surfaceEntities(folded, surfaceNames) : textEntities(text, since, heads, first)
  const before = new Set<string>()
  for (const { key, from } of entities) if (from < first.from && !own.has(key)) before.add(key)
  return before.size + 1
}
