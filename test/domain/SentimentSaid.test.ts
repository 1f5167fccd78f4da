/**
 * How answers speak of a brand in everyday words.
 *
 * Planted faults, each seen red here:
 * - a compound is read by its last part only; "hard-to-find" is taken for blame
 * - how soon a thing fails is taken for praise of its speed, or a failure for praise; any verb with "quickly" is taken for a failure
 * - a verdict without a subject is not about the brand; any short sentence is taken for a verdict
 * - a brand after an article is not read as chosen
 * - an ordinary word before "works" is not taken for a name
 * - "break in" is read as "break"
 * - prose that a bold name introduces is read like any other prose, or as about one brand where the bold text names two
 * - "my pick is Bolt" is taken for praise of the brand, or "an alternative to Bolt" for praise of Bolt
 */
import { sentimentOf } from "@sightline/domain/Sentiment"
import { assert, it } from "vitest"

const said = (text: string): string => {
  const from = text.indexOf("Acme")
  const { cues, sentiment } = sentimentOf(text, [from, from + 4])
  return `${sentiment}: ${cues.join(", ")}`
}

it("a compound has the sentiment of the phrase that it begins with", () => {
  assert.strictEqual(said("Acme is an easy-to-use tool."), "positive: easy-to-use")
  assert.strictEqual(said("For small teams Acme is a no-brainer."), "positive: no-brainer")
  assert.strictEqual(said("Support at Acme is hit-or-miss."), "negative: hit-or-miss")
  assert.strictEqual(said("Acme is not easy-to-use."), "negative: not easy-to-use")
  assert.strictEqual(said("Acme stocks hard-to-find parts for hard-to-reach places."), "neutral: ")
  assert.strictEqual(said("Acme runs a fast-food chain."), "neutral: ")
})

it("how soon or how often a thing fails is not praise of its speed", () => {
  assert.strictEqual(said("Acme leashes fray quickly."), "negative: fray quickly")
  assert.strictEqual(said("Acme printers jam constantly and fade fast."), "negative: jam constantly, fade fast")
  assert.strictEqual(said("The zip on my Acme jacket broke within a month."), "negative: broke within")
  assert.strictEqual(said("Acme never fades after washing."), "positive: never fades after")
  assert.strictEqual(said("Acme removes stains quickly."), "positive: removes stains quickly")
  assert.strictEqual(said("Acme responds quickly."), "positive: quickly")
  assert.strictEqual(said("Acme sells a stain for decks."), "neutral: ")
  assert.strictEqual(said("Acme boots break in quickly."), "positive: quickly")
  assert.strictEqual(said("Acme knives dull quickly."), "negative: dull quickly")
})

it("a verdict without a subject is about the brand, and any other short sentence is not", () => {
  assert.strictEqual(said("Acme fixed our boiler on a Sunday. Highly recommended."), "positive: recommended")
  assert.strictEqual(said("Acme sent the wrong size twice. Avoid."), "negative: wrong, avoid")
  assert.strictEqual(said("Acme sells kettles. There are better options."), "negative: there are better")
  assert.strictEqual(said("Acme sells kettles. Great weather today."), "neutral: ")
})

it("a refusal to buy does not count as choosing the brand", () => {
  assert.strictEqual(said("I wouldn't buy an Acme oven."), "negative: wouldn't buy")
  assert.strictEqual(said("I wouldn't buy a Bolt oven, and Acme sells toasters."), "neutral: ")
})

it("a name that is also a word is a name where it opens a sentence before its verb", () => {
  assert.strictEqual(said("Bolt fades quickly, but Acme doesn't."), "positive: fades quickly … doesn't")
  assert.strictEqual(said("Bolt works well; Acme does not."), "negative: works well … does not")
  assert.match(said("Acme comes without bugs, crashes or leaks."), /^positive/)
})

it("a clause that ends by naming another brand has no sentiment for this one", () => {
  assert.strictEqual(said("Acme sells kettles, but my top pick is Bolt."), "neutral: ")
  assert.strictEqual(said("Acme sells kettles; the top spot goes to Bolt."), "neutral: ")
  assert.strictEqual(said("The one to beat is Acme."), "positive: the one to beat")
  assert.strictEqual(said("Acme sells kettles, a cheaper alternative to Bolt."), "positive: cheaper")
})

it("a fault of the work that a brand saves does not count against it", () =>
  assert.strictEqual(said("Acme saves hours by automating boring work."), "positive: saves hours"))

it("a line is about the brand in bold at its start, and the lines below are not", () => {
  assert.strictEqual(said("**Acme** – A kettle for two. Very reliable."), "positive: reliable")
  assert.strictEqual(said("**Acme:** A kettle for two. Very reliable."), "positive: reliable")
  assert.strictEqual(said("**Acme** – A kettle for two.\nVery reliable trains."), "neutral: ")
  assert.strictEqual(said("**Acme** is a kettle for two. Very reliable trains."), "neutral: ")
  assert.strictEqual(said("**Acme vs. Bolt:** A close call. Very reliable kettles."), "neutral: ")
})

it.each([
  "Acme is the go-to platform for remote teams.",
  "Acme excels at reporting.",
  "Acme works well on hills.",
  "Acme ticks all the boxes.",
  "Acme sets the bar for quiet fans.",
  "Acme is the one to beat.",
  "Acme is in a league of its own.",
  "Acme is an efficient, scalable choice.",
  "Acme takes the hassle out of invoicing.",
  "Acme is a steal.",
  "Runners swear by Acme.",
  "Acme is worth it."
])("is praise: %s", (text) => assert.match(said(text), /^positive/))

it.each([
  "Acme is a nightmare to cancel.",
  "Acme lags behind in features.",
  "Acme is past its prime.",
  "Acme falls flat.",
  "Acme cuts corners on materials.",
  "Acme has gone downhill.",
  "Acme can't keep up.",
  "Acme is a money pit.",
  "Acme costs too much.",
  "Acme comes up short.",
  "Acme is showing its age.",
  "Acme isn't worth it."
])("is blame: %s", (text) => assert.match(said(text), /^negative/))

it.each([
  "Acme is a bug tracker with crash reports.",
  "Acme runs clinics for chronic pain.",
  "Acme offers fraud protection and disaster recovery.",
  "Acme sells nuts and honey.",
  "Acme competes with Bolt in the kettle market.",
  "Acme stores keep honor rolls."
])("is neither: %s", (text) => assert.match(said(text), /^neutral/))
