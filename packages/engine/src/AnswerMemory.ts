import { type Clock, Duration } from "effect"
import { LRUCache } from "lru-cache"
import type { Answer, Citation } from "@sightline/domain/Answer"
import { answerMemoryBytes, answerMemoryTtl } from "./Tuning.ts"

/** The answers a process has at hand: tier l1 of the cache. */
export interface AnswerMemory {
  readonly get: (key: string) => Answer | undefined
  readonly set: (key: string, answer: Answer) => void
}

/** What a citation weighs beside its words, and what is made of it once, in code units. */
const citationWeight = 200

const wordsOf = ({ url, title, text = "", snippet = "" }: Citation): number =>
  url.length + title.length + text.length + snippet.length

/** UTF-16 code units are two bytes; the rest of an answer is counted by its citations. */
const bytesOf = ({ text, raw, citations }: Answer): number =>
  2 * citations.reduce((sum, citation) => sum + wordsOf(citation) + citationWeight, text.length + raw.length + 640)

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
