import type { Answer } from "@sightline/domain/Answer"
import type { Sighting } from "@sightline/domain/Check"
import type { PlatformFailed } from "@sightline/domain/Platform"
import { digestOf } from "@sightline/store/AnswerDigest"
import { type HashedSnapshot, hashSnapshot } from "@sightline/store/Checks"

const makeSnapshot = (sightings: ReadonlyArray<Sighting>, failures: ReadonlyArray<PlatformFailed>): HashedSnapshot => {
  const sites: Array<string> = []
  const pages: Array<string> = []
  for (const { answer } of sightings) {
    const cited = digestOf(answer)
    sites.push(...cited.sites)
    pages.push(...cited.pages)
  }
  return hashSnapshot({
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

/** The last snapshots, by the first answer of their check. The references are weak: the other answers may be evicted before it. */
const lastSnapshots = new WeakMap<
  Answer,
  { readonly sightings: ReadonlyArray<WeakRef<Sighting>>; readonly snapshot: HashedSnapshot }
>()

/**
 * The snapshot of what a check saw, to be stored with it. It is computed once for checks of the same answers and brand: as long as the
 * answers are in memory, `sightingOf` returns the same sighting objects for them.
 */
export const snapshotOf = (
  sightings: ReadonlyArray<Sighting>,
  failures: ReadonlyArray<PlatformFailed>
): HashedSnapshot => {
  const [first] = sightings
  if (first === undefined || failures.length > 0) return makeSnapshot(sightings, failures)
  const last = lastSnapshots.get(first.answer)
  if (
    last?.sightings.length === sightings.length &&
    sightings.every((one, place) => one === last.sightings[place]?.deref())
  )
    return last.snapshot
  const snapshot = makeSnapshot(sightings, failures)
  lastSnapshots.set(first.answer, { sightings: sightings.map((one) => new WeakRef(one)), snapshot })
  return snapshot
}
