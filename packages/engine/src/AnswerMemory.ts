import { type Clock, Duration } from "effect"
import { LRUCache } from "lru-cache"
import type { Answer, Citation } from "@sightline/domain/Answer"
import { answerMemoryBytes, answerMemoryTtl } from "./Tuning.ts"

/** The answers in the memory of a process: tier l1 of the cache. */
export interface AnswerMemory {
  readonly get: (key: string) => Answer | undefined
  readonly set: (key: string, answer: Answer) => void
}

// Bytes in addition to the text: those of an answer with what is computed from it (its brands and a few findings), and those of a citation.
const answerWeight = 15_000
const citationWeight = 600

/** The bytes of a citation: of the citation itself, and of the part of a check's response that is rendered from it. */
const bytesOfCitation = ({ url, title, text = "", snippet = "" }: Citation): number => {
  const shown = url.length + title.length + text.length
  return 2 * (shown + snippet.length) + 3 * shown + citationWeight
}

/** The bytes of an answer in memory. A UTF-16 code unit takes two bytes, or up to three in UTF-8. */
const bytesOf = ({ text, raw, citations }: Answer): number =>
  citations.reduce((sum, citation) => sum + bytesOfCitation(citation), 2 * (text.length + raw.length) + answerWeight)

/** A memory of at most 64 MiB whose entries live for 55 s of `clock`; the least recently used are evicted first. */
export const makeAnswerMemory = (clock: Clock.Clock): AnswerMemory => {
  const entries = new LRUCache<string, Answer>({
    maxSize: answerMemoryBytes,
    sizeCalculation: bytesOf,
    ttl: Duration.toMillis(answerMemoryTtl),
    ttlResolution: 0,
    perf: { now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6 }
  })
  return { get: (key) => entries.get(key), set: (key, answer) => void entries.set(key, answer) }
}
