import { Effect, Layer } from "effect"
import { findBrand } from "@sightline/domain/Brand"
import { sentimentOf } from "@sightline/domain/Sentiment"
import { warmUpPause } from "./Tuning.ts"

/** The brand that is searched in `sampleAnswers`. */
export const sampleBrand = "Quorvane"

/**
 * One answer of each kind, the simplest first: each needs little beyond what the answers before it needed. Most contain typographic
 * characters, because patterns are compiled once more for texts with such characters.
 */
export const sampleAnswers: ReadonlyArray<string> = [
  "Bolt is quick – and cheap.",
  "My ranking – Quorvane > Bolt > Coralio",
  "Quorvane is quick – and cheap.",
  "People like Bolt and Quorvane a lot. Bolt is cheap – Quorvane has better support, and Café Noir is nice.",
  "People like Quorvane's tools better than Bolt's.",
  "The best is Quorvanne, then Bolt Labs & Zoran’s tool. Zoë said it’s fine.",
  "Here are the best – in short:\n\n1. **Bolt** – fast and cheap.\n2. **Quorvane** – reliable, ranked #2 overall.\n3. **Café Noir** – pricey.",
  "Top picks:\n\n1) Bolt - fast\n2) Quorvane - reliable\n\nQuorvane is the one that takes second place.",
  "| Tool | Price |\n|---|---|\n| Bolt | $6 |\n| Quorvane | $5 |\n\n**[Bolt](https://bolt.example)** – quorvane.com is where it is sold.",
  "**1. [Bolt X2]()** – $219\n\n* **Range:** 12 km\n\n**2. [Quorvane]()** – $149\n\n* **Range:** 6 km",
  "Quorvane’s app is not slow – bolts are.",
  "Quorvane is not slow – bolts are.",
  "If you want the one that works – and most people do – it is Quorvane, and the parts are easy to find.",
  "Quorvane is not slow, the bolts are.",
  "If you want the one that works, and most people do, it is Quorvane, and the parts are easy to find.",
  "I could not find anything about Quorvane – perhaps you mean Bolt?",
  "Die besten Anbieter – kurz:\n\n1. **Bolt** – schnell.\n2. **Quorvane** – zuverlässig. Quorvane liegt auf Platz 2.",
  "Leider konnte ich keine Informationen über Quorvane finden.",
  "Je n’ai trouvé aucune information sur Quorvane.",
  "No encontré información sobre Quorvane.",
  "Я не нашёл информации о Quorvane.",
  "Nie znalazłem informacji o Quorvane.",
  "Quorvane hakkında bilgi bulamadım.",
  "Quorvaneに関する情報は見つかりませんでした。"
]

const read = Effect.fnUntraced(function* (text: string) {
  yield* Effect.sleep(warmUpPause)
  const { span } = findBrand({ text, brandEntities: [] }, sampleBrand)
  if (span === null) return
  yield* Effect.sleep(warmUpPause)
  sentimentOf(text, span)
})

/**
 * Reads an answer of each kind, so that word lists are unpacked and patterns compiled before a customer's answer needs them. It runs in
 * the background: neither a call nor the start of the process waits for it.
 */
export const layer: Layer.Layer<never> = Layer.effectDiscard(
  Effect.forEach(sampleAnswers, read, { discard: true }).pipe(
    Effect.andThen(Effect.logDebug("An answer of each kind was read")),
    Effect.forkScoped
  )
)
