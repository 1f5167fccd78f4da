import type { Answer } from "@sightline/domain/Answer"

const paragraph =
  "For most people the safe choice is **Brooks**, which tests well for cushioning and lasts longest. Nike comes close: " +
  "lighter, with a livelier ride, though the sizing runs small. If your feet are wide, look at New Balance first. "

const list =
  "1. **Brooks** – durable and forgiving.\n2. **Nike** – light and fast.\n3. **Hoka** – soft, for long days.\n"

const answer = (n: number): Answer => ({
  text: `${paragraph.repeat(4)}\n\n${list}\n${paragraph.repeat(2 + n)}`,
  raw: "",
  citations: Array.from({ length: 5 }, (_, i) => ({
    url: `https://reviews-${i}.example/shoes/${n}`,
    title: `The best running shoes, tested ${i}`
  })),
  fanOut: [],
  brandEntities: [],
  searched: true,
  model: "bench",
  finish: "stop"
})

/** Four answers of 2–3 KB, one per provider, that name the brand. */
export const answers = [
  { slot: "chatgpt", platform: "chatgpt_api", answer: answer(0) },
  { slot: "claude", platform: "claude_api", answer: answer(1) },
  { slot: "gemini", platform: "gemini_api", answer: answer(2) },
  { slot: "perplexity", platform: "perplexity_api", answer: answer(3) }
] as const
