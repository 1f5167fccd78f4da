import type { Answer } from "@sightline/domain/Answer"
import { matchText } from "@sightline/platforms/MatchText"

/** The parts of a provider's slot, from a check that includes `raw`, that a stand-in server needs to give the same answer. */
type Given = Pick<Answer, "raw" | "citations">

const providers: Readonly<Record<string, Given>> = JSON.parse(process.argv[2] ?? "{}")

const answerOf = ({ raw, citations }: Given): Answer => ({
  text: matchText(raw),
  raw: "",
  citations,
  fanOut: [],
  brandEntities: [],
  searched: true,
  model: "bench",
  finish: "stop"
})

/** The program's answers, by provider: a stand-in server searches the same texts. */
export const answers = Object.entries(providers).map(([slot, given]) => ({ slot, answer: answerOf(given) }))
