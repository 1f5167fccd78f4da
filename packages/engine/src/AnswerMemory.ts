import { type Clock, Duration } from "effect"
import { LRUCache } from "lru-cache"
import type { Answer, Citation } from "@sightline/domain/Answer"
import { answerMemoryBytes, answerMemoryTtl } from "./Tuning.ts"

/** The answers a process has at hand: tier l1 of the cache. */
export interface AnswerMemory {
  readonly get: (key: string) => Answer | undefined
  readonly set: (key: string, answer: Answer) => void
}

// Beside their words, in code units: an answer with what is computed of it once and what it says of a few brands, and each of its citations.
const answerWeight = 3840
const citationWeight = 200

const wordsOf = ({ url, title, text = "", snippet = "" }: Citation): number =>
  url.length + title.length + text.length + snippet.length

/** What an answer takes of the memory. A UTF-16 code unit is two bytes. */
const bytesOf = ({ text, raw, citations }: Answer): number => {
  const cited = citations.reduce((sum, citation) => sum + wordsOf(citation) + citationWeight, 0)
  return 2 * (text.length + raw.length + answerWeight + cited)
}

/** A memory of at most 64 MiB whose entries live 55 s of the clock; the least recently used go first. */
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
