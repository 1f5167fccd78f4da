import type { Answer } from "@sightline/domain/Answer"
import { matchText } from "@sightline/platforms/MatchText"

/** What a check that includes `raw` says of one provider, as far as another server needs it to answer the same. */
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

/** The answers that the program gives, by provider: who stands in for it looks through the same texts. */
export const answers = Object.entries(providers).map(([slot, given]) => ({ slot, answer: answerOf(given) }))
