import type { Answer } from "@sightline/domain/Answer"
import type { Sighting } from "@sightline/domain/Check"
import type { PlatformFailed } from "@sightline/domain/Platform"
import { digestOf } from "@sightline/store/AnswerDigest"
import { type SeenOnce, seenOnce } from "@sightline/store/Checks"

const seenIn = (sightings: ReadonlyArray<Sighting>, failures: ReadonlyArray<PlatformFailed>): SeenOnce => {
  const sites: Array<string> = []
  const pages: Array<string> = []
  for (const { answer } of sightings) {
    const cited = digestOf(answer)
    sites.push(...cited.sites)
    pages.push(...cited.pages)
  }
  return seenOnce({
    result: {
      sightings: sightings.map(({ platform, answer, visibility }) => ({
        platform,
        model: answer.model,
        searched: answer.searched,
        ...(answer.surfacePresent === undefined ? {} : { surfacePresent: answer.surfacePresent }),
        ...visibility,
        citations: digestOf(answer).citations
      })),
      failures: failures.map(({ platform, code }) => ({ platform, code }))
    },
    platforms: sightings.map(({ platform }) => platform),
    mentioned: sightings.map(({ answer, visibility }) =>
      answer.surfacePresent === false ? null : visibility.mentioned
    ),
    ranks: sightings.map(({ visibility }) => visibility.rank),
    texts: sightings.map(({ answer }) => digestOf(answer).hash),
    sites,
    pages
  })
}

/** What the last check saw, by its first answer. The references are weak because the other answers may be evicted before that one. */
const seenLast = new WeakMap<
  Answer,
  { readonly sightings: ReadonlyArray<WeakRef<Sighting>>; readonly seen: SeenOnce }
>()

/**
 * What a check saw, to be stored with it. It is computed once for checks of the same answers and brand: as long as the answers are in
 * memory, `findingOf` returns the same sighting objects for them.
 */
export const seenBy = (sightings: ReadonlyArray<Sighting>, failures: ReadonlyArray<PlatformFailed>): SeenOnce => {
  const [first] = sightings
  if (first === undefined || failures.length > 0) return seenIn(sightings, failures)
  const last = seenLast.get(first.answer)
  if (
    last?.sightings.length === sightings.length &&
    sightings.every((one, place) => one === last.sightings[place]?.deref())
  )
    return last.seen
  const seen = seenIn(sightings, failures)
  seenLast.set(first.answer, { sightings: sightings.map((one) => new WeakRef(one)), seen })
  return seen
}
