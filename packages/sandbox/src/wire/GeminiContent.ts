import type { Source } from "@sightline/sandbox/article/Source"
import type { Composition } from "@sightline/sandbox/Composition"
import { redirectTo } from "./GroundingRedirect.ts"

const encoder = new TextEncoder()
const bytesOf = (text: string): number => encoder.encode(text).length

/** A range of UTF-8 bytes in one part, end exclusive. The wire format leaves out zeros. */
const segment = (startIndex: number, text: string, partIndex: number) => ({
  ...(partIndex > 0 ? { partIndex } : {}),
  ...(startIndex > 0 ? { startIndex } : {}),
  endIndex: startIndex + bytesOf(text),
  text
})

/** The parts of the answer that have sources, with the indices of the sources. */
const supportsOf = ({ spans }: Composition, partIndex: number) => {
  let offset = 0
  return spans.flatMap(({ text, cites }) => {
    const start = offset
    offset += bytesOf(text)
    return cites.length === 0
      ? []
      : [
          {
            segment: segment(start, text, partIndex),
            groundingChunkIndices: cites,
            confidenceScores: cites.map(() => 0.9)
          }
        ]
  })
}

const groundingOf = (composition: Composition, partIndex: number) => {
  const { queries, sources, draw } = composition
  const chunk = ({ url, host }: Source) => ({ web: { uri: redirectTo(url, draw), title: host } })
  return {
    webSearchQueries: queries,
    searchEntryPoint: { renderedContent: '<div class="container"></div>' },
    groundingChunks: sources.map(chunk),
    groundingSupports: supportsOf(composition, partIndex)
  }
}

const finishReasons = { stop: "STOP", length: "MAX_TOKENS", refusal: "STOP" } as const

const candidateOf = (composition: Composition) => {
  const { finish, spans, queries, tokens, draw } = composition
  const thought = tokens.reasoning > 0 && draw.chance(0.3) ? [{ text: "Weighing the sources…", thought: true }] : []
  const text = spans.map((span) => span.text).join("")
  return {
    index: 0,
    finishReason: finishReasons[finish],
    content: text === "" ? { role: "model" } : { role: "model", parts: [...thought, { text }] },
    ...(queries.length > 0 && text !== "" ? { groundingMetadata: groundingOf(composition, thought.length) } : {})
  }
}

const blocked = {
  index: 0,
  finishReason: "SAFETY",
  safetyRatings: [{ category: "HARM_CATEGORY_DANGEROUS_CONTENT", probability: "HIGH", blocked: true }]
}

/** A refusal without words: the prompt is blocked, or the only candidate is stopped before its first word. */
const silentRefusal = ({ draw }: Composition) =>
  draw.chance(0.5) ? { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } } : { candidates: [blocked] }

/** The body of a `GenerateContentResponse`. */
export const renderContent = (model: string, composition: Composition): unknown => {
  const { finish, spans, tokens, draw } = composition
  const answered =
    finish === "refusal" && spans.length === 0 ? silentRefusal(composition) : { candidates: [candidateOf(composition)] }
  return {
    ...answered,
    usageMetadata: {
      promptTokenCount: tokens.asked,
      candidatesTokenCount: tokens.output - tokens.reasoning,
      ...(tokens.found > 0 ? { toolUsePromptTokenCount: tokens.found } : {}),
      ...(tokens.reasoning > 0 ? { thoughtsTokenCount: tokens.reasoning } : {}),
      totalTokenCount: tokens.asked + tokens.found + tokens.output,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: tokens.asked }]
    },
    modelVersion: model,
    responseId: draw.hex(22)
  }
}
