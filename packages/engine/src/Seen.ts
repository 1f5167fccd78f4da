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

/** What the last check saw that begins with an answer. Its other answers may be forgotten before that one. */
const seenLast = new WeakMap<
  Answer,
  { readonly sightings: ReadonlyArray<WeakRef<Sighting>>; readonly seen: SeenOnce }
>()

/**
 * What a check saw, to be kept with it. Checks of the same answers for the same brand saw the same, so it is made once for them: their
 * sightings are one and the same as long as the answers are at hand.
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
