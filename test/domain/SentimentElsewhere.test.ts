/**
 * The sentiment of mentions in languages other than English.
 *
 * Planted faults, each seen red here: sentences read as English ones; the second half of a negation taken for another, and one at
 * the end of its clause for none; "que" and "di" taken for "than" everywhere; "より" left behind what it measures by; a capital
 * after "sind" taken for a plain word; English with foreign words in it read as foreign; "か？" taken for no question, and
 * "keine" for a point; two words that are not known taken for one said twice.
 */
import { assert, describe, it } from "vitest"
import { type Sentiment, sentimentOf } from "@sightline/domain/Sentiment"

const about = (text: string, name: string): Sentiment => {
  const from = text.indexOf(name)
  return sentimentOf(text, [from, from + name.length])
}

/** Those of the texts that speak of Acme otherwise. */
const otherThan = (sentiment: Sentiment["sentiment"], texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.filter((text) => about(text, "Acme").sentiment !== sentiment)

describe("in a language other than English", () => {
  it("praise and blame are told in its own words", () => {
    assert.deepStrictEqual(about("Acme ist die beste Marke, aber teuer und langsam.", "Acme"), {
      sentiment: "negative",
      cues: ["beste", "teuer", "langsam"]
    })
    assert.deepStrictEqual(about("На Acme много жалоб.", "Acme"), { sentiment: "negative", cues: ["жалоб"] })
    assert.isEmpty(
      otherThan("positive", [
        "Acme funciona sin problemas.",
        "On peut dire qu’Acme fabrique des chaussures, sans défaut grave.",
        "L'assistenza di Acme è un'ottima sorpresa.",
        "Acmeは使いやすいです。",
        "Acme性价比高，值得购买。"
      ])
    )
  })

  it("one negation turns it round, whatever its halves, and also at the end of its clause", () => {
    assert.deepStrictEqual(about("Je ne recommande pas Acme.", "Acme"), {
      sentiment: "negative",
      cues: ["ne recommande"]
    })
    assert.deepStrictEqual(about("Ich empfehle Acme nicht.", "Acme"), {
      sentiment: "negative",
      cues: ["empfehle … nicht"]
    })
    assert.isEmpty(
      otherThan("negative", [
        "Acme ist nicht gut, schnell oder billig.",
        "Acme não é ideal.",
        "Ik raad Acme niet aan.",
        "Acme nie jest dobra.",
        "Acme不可靠。"
      ])
    )
    assert.isEmpty(
      otherThan("positive", [
        "Nadie se queja de Acme.",
        "Acme n'a aucun défaut.",
        "Acme ist nicht rot, immer gut.",
        "Acme ist nicht teuer.",
        "Acme不贵。"
      ])
    )
  })

  it("of two that are compared one gets the opposite of the other", () => {
    for (const text of [
      "Acme ist besser als Bolt.",
      "Acme est moins chère que Bolt.",
      "Acme es mejor que Bolt.",
      "Acme è migliore di Bolt.",
      "Acme is beter dan Bolt.",
      "Acme jest lepsza niż Bolt.",
      "A Acme é melhor que a Bolt.",
      "Acme лучше, чем Bolt.",
      "Acme أفضل من Bolt.",
      "Acme比Bolt更好。",
      "BoltよりAcmeの方が優れています。",
      "Im Vergleich zu Bolt ist Acme schnell.",
      "Bolt不如Acme可靠。"
    ]) {
      assert.strictEqual(about(text, "Acme").sentiment, "positive", text)
      assert.strictEqual(about(text, "Bolt").sentiment, "negative", text)
    }
  })

  it("a word that joins is taken for a comparison only where something is measured", () => {
    assert.isEmpty(
      otherThan("positive", [
        "Bei Schuhen gilt als zuverlässig Acme.",
        "Je trouve que Acme est fiable.",
        "La buona qualità di Acme convince."
      ])
    )
  })

  it("the capital of a noun makes no rival of it, that of a name does", () => {
    assert.isEmpty(otherThan("negative", ["Kunden beklagen sich über den schlechten Support von Acme."]))
    assert.isEmpty(
      otherThan("neutral", ["Acme verkauft Schuhe, Bolt ist langsam.", "Acme vend des sacs, mais Bolt est cher."])
    )
  })

  it("nothing is said by questions, by lists of names, or by everyday words that look like praise", () => {
    assert.isEmpty(
      otherThan("neutral", [
        "Ist Acme gut?",
        "Acmeは良いですか？",
        "هل Acme جيدة؟",
        "Gute Marken sind Bolt, Acme und Cora.",
        "Der Vertrag mit Acme besteht aus drei Teilen.",
        "Acme ofrece seguros de coche."
      ])
    )
  })

  it("words of another language in an English sentence say nothing", () => {
    assert.isEmpty(
      otherThan("positive", [
        "Acme sells the Casa Buena Mala line, and it is reliable.",
        "Acme has great à la carte pricing."
      ])
    )
    assert.isEmpty(otherThan("negative", ["I wouldn't recommend Acme to anyone."]))
  })

  it("points count for their heading, and none where it has none", () => {
    assert.isEmpty(
      otherThan("positive", [
        "**Acme**\nVorteile: leicht, robust\nNachteile: laut",
        "**Acme**\nメリット：静か\nデメリット：特になし",
        "| Marke | Vorteile | Nachteile |\n|---|---|---|\n| Acme | Kamera | keine |"
      ])
    )
    assert.isEmpty(otherThan("negative", ["**Acme**\nAvantages : USB-C\nInconvénients : lourd, pas de chargeur"]))
  })
})
