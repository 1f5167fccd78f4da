import type { Dice } from "@sightline/sandbox/Dice"
import type { Market } from "./Market.ts"
import { plain, type Span } from "./Span.ts"

/** A question that an engine was asked to suggest. */
interface Idea {
  readonly query: string
  readonly intent: "informational" | "commercial" | "comparison" | "transactional"
}

/** A request for questions: how many, and about what, in the words of the request. */
export interface QuestionRequest {
  readonly count: number
  readonly about: string
}

const request =
  /^List (\d{1,3}) different questions that people ask\b.*?\bsomething that ("(?:[^"\\]|\\.)*") offers(?: in the industry ("(?:[^"\\]|\\.)*"))?/s

/** The questions that an inquiry asks for instead of an article; undefined if it asks for none. */
export const requestedQuestions = (question: string): QuestionRequest | undefined => {
  const [, count, brand = "", industry = ""] = request.exec(question) ?? []
  return count === undefined
    ? undefined
    : { count: Number(count), about: `${industry} ${brand}`.replaceAll('"', "").trim() }
}

const ideasOf = ({ topic, picks }: Market): ReadonlyArray<Idea> => {
  const { noun, traits, buyers } = topic
  const [best, next = noun] = picks
  return [
    { query: `What are the best ${noun} right now?`, intent: "commercial" },
    { query: `How do I choose ${noun}?`, intent: "informational" },
    { query: `${best} vs ${next}: which is better?`, intent: "comparison" },
    { query: `Where can I buy ${noun} at a discount?`, intent: "transactional" },
    ...buyers.map((buyer): Idea => ({ query: `Which ${noun} are best for ${buyer}?`, intent: "commercial" })),
    ...traits.map((trait): Idea => ({ query: `How important is ${trait} in ${noun}?`, intent: "informational" })),
    ...picks.slice(1).map((pick): Idea => ({ query: `What are good alternatives to ${pick}?`, intent: "comparison" })),
    ...buyers.map((buyer): Idea => ({ query: `How much should ${noun} for ${buyer} cost?`, intent: "transactional" }))
  ]
}

/** The questions in the JSON format that was asked for. */
export const writeQuestions = ({ count }: QuestionRequest, market: Market, draw: Dice): ReadonlyArray<Span> => {
  const [first, ...rest] = ideasOf(market)
  const ideas = [first, ...draw.shuffle(rest)].slice(0, count)
  return [plain(`\`\`\`json\n${JSON.stringify(ideas, null, 1)}\n\`\`\``)]
}
