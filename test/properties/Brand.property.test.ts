/**
 * Laws of `findBrand` over generated answers.
 *
 * Planted faults, each seen red here:
 * - the brand not folded; accents kept
 * - addresses not hidden
 * - ranks from 0
 * - the span in folded offsets
 * - an excerpt of 310 characters
 * - a mention that depends on the length of the text
 * - one edit allowed, or three; an edit rejected for a difference in length that is within the limit
 * - one side of a hit not extended, or one unit off
 * - an occurrence of a part missed if it overlaps an earlier one
 */
import { findBrand, type Visibility } from "@sightline/domain/Brand"
import { isDictionaryWord } from "@sightline/domain/text/Vocabulary"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const inText = (text: string, brand: string): Visibility => findBrand({ text, brandEntities: [] }, brand)

const name = fc.constantFrom(
  "Velmora",
  "Quillon Labs",
  "Solène",
  "Żubrex",
  "Tinsel & Rowe",
  "HubGrove",
  "Ørsvik",
  "Ναυσικά",
  "小米",
  "Қазан",
  "T-Velo",
  "3M"
)
const rival = fc.constantFrom("Hydrelle", "Drift & Pine", "Okello", "Nordlys", "Marnwick")
const filler = fc.constantFrom(
  "Prices change from week to week.",
  "It’s worth trying one in a shop first — sizes differ 😀.",
  "Most people want something light, and that's fine…",
  "C'est déjà bien.",
  "- a point in a list",
  "| a | b |",
  "### Details",
  "Ŝanĝo ﬁne ½ ™"
)
const sentence = fc.oneof(
  filler,
  rival.map((other) => `**${other}** is another choice.`),
  rival.map((other) => `1. ${other} – good value`)
)
const mention = name.chain((brand) =>
  fc
    .constantFrom(
      `${brand} is easy to clean.`,
      `2. **${brand}** – lighter`,
      `People like ${brand}’s lid.`,
      `| ${brand} | 3 |`
    )
    .map((written) => ({ brand, written }))
)
const answer = fc
  .tuple(fc.array(sentence, { maxLength: 6 }), mention, fc.array(sentence, { maxLength: 6 }))
  .map(([before, { brand, written }, after]) => ({ brand, text: [...before, written, ...after].join("\n") }))

/** Any text, sometimes with the brand in it. */
const anything = fc
  .tuple(
    name,
    fc.array(fc.oneof(fc.string({ unit: "binary" }), filler, name), { maxLength: 12 }),
    fc.constantFrom("", " ", "\n")
  )
  .map(([brand, parts, joint]) => ({ brand, text: parts.join(joint) }))

/** The brand in forms that do not spell it: misspelt, within another word, or as its site's name. */
const disguised = fc
  .tuple(fc.constantFrom("Velmora", "Quillon Labs", "Żubrex", "HubGrove", "Ναυσικά"), fc.nat(20), sentence)
  .chain(([brand, at, before]) => {
    const place = at % brand.length
    return fc
      .constantFrom(
        brand.slice(0, place) + brand.slice(place + 1),
        `${brand.slice(0, place)}q${brand.slice(place)}`,
        `x${brand}x`,
        `${brand.replaceAll(" ", "")}.com`
      )
      .map((written) => ({ brand, text: `${before}\n${written} is easy to clean.` }))
  })

// Letters that rarely form a dictionary word or a known name. Two of them form repetitive words, which contain their own parts often.
const letter = fc.constantFrom("b", "j", "k", "q", "v", "w", "x", "z")
const word = fc
  .constantFrom(letter, fc.constantFrom("b", "z"))
  .chain((unit) => fc.string({ unit, minLength: 5, maxLength: 14 }))
const edit = fc.tuple(fc.constantFrom("add", "drop", "replace"), fc.nat(14), letter)

const edited = (word: string, [kind, place, letter]: readonly [string, number, string]): string => {
  const at = place % word.length
  return word.slice(0, at) + (kind === "drop" ? "" : letter) + word.slice(kind === "add" ? at : at + 1)
}

/** The edit distance of two words, by dynamic programming over their prefixes. */
const editsBetween = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [above, one] of Array.from(from).entries()) {
    const next = [above + 1]
    for (const [at, other] of Array.from(to).entries())
      next.push(Math.min((row[at] ?? 0) + (one === other ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    row = next
  }
  return row.at(-1) ?? 0
}

const outcome = ({ mentioned, tier, rank }: Visibility) => ({ mentioned, tier, rank })

describe("findBrand", () => {
  it("finds what is there: mentioned, and the span spells the brand", () =>
    fc.assert(
      fc.property(answer, ({ brand, text }) => {
        const { mentioned, span } = inText(text, brand)
        assert.isTrue(mentioned)
        assert.strictEqual(span === null ? "" : text.slice(...span), brand)
      })
    ))

  it("finds a word without the brand that is in no dictionary ⇔ it is at most two edits away", () =>
    fc.assert(
      fc.property(word, fc.array(edit, { minLength: 1, maxLength: 4 }), (brand, edits) => {
        const written = edits.reduce(edited, brand)
        fc.pre(!written.includes(brand) && written.length > 2 && !isDictionaryWord(written))
        const found = inText(`I like ${written} best.`, brand)
        assert.strictEqual(found.mentioned, editsBetween(brand, written) <= 2, `${brand} in ${written}`)
      }),
      { numRuns: 2000 }
    ))

  it("find(text, brand) = find(text, BRAND) = find(text, nfd(brand)) = find(text, unaccented brand)", () =>
    fc.assert(
      fc.property(answer, ({ brand, text }) => {
        const plain = inText(text, brand)
        const unaccented = brand.normalize("NFD").replace(/\p{M}/gu, "")
        for (const other of [brand.toUpperCase(), brand.toLowerCase(), brand.normalize("NFD"), unaccented]) {
          assert.deepStrictEqual(outcome(inText(text, other)), outcome(plain), other)
        }
      })
    ))

  it("find(nfc(text), brand) = find(nfd(text), brand), apart from offsets", () =>
    fc.assert(
      fc.property(answer, ({ brand, text }) => {
        assert.deepStrictEqual(
          outcome(inText(text.normalize("NFD"), brand)),
          outcome(inText(text.normalize("NFC"), brand))
        )
      })
    ))

  it("mentioned(text) ⇒ mentioned(text + further paragraph without the brand's letters)", () =>
    fc.assert(
      fc.property(answer, fc.string(), ({ brand, text }, further) => {
        const letters = new Set(brand.toLowerCase().normalize("NFD"))
        const foreign = Array.from(further).filter(
          (character) => !letters.has(character.toLowerCase().normalize("NFD").charAt(0))
        )
        assert.isTrue(inText(`${text}\n\n${foreign.join("")}`, brand).mentioned)
      })
    ))

  it("a brand that occurs only in addresses is not mentioned", () => {
    const address = fc.constantFrom(
      (brand: string) => `https://example.org/${brand}/shop`,
      (brand: string) => `https://${brand}.example.org`,
      (brand: string) => `[more](https://example.org/?q=${brand})`,
      (brand: string) => `([Trail Weekly](https://example.org/#${brand}))`,
      (brand: string) => `<https://example.org/a_(${brand})>`,
      (brand: string) => `www.example.org/${brand}`
    )
    const slug = fc.constantFrom("velmora", "quillon-labs", "hubgrove", "t-velo", "3m", "e")
    fc.assert(
      fc.property(
        slug,
        address,
        fc.array(fc.constantFrom("Buy it now.", "Grip is good!", "(A lid)"), { maxLength: 4 }),
        (brand, at, words) => {
          const wanted = brand === "e" ? "Zq" : brand
          assert.isFalse(inText([...words, at(wanted), ...words].join(" "), wanted).mentioned)
        }
      )
    )
  })

  it("¬mentioned ⇒ tier, rank, span null and context empty; mentioned ⇒ rank ≥ 1 and context contains the mention", () =>
    fc.assert(
      fc.property(fc.oneof(answer, anything, disguised), ({ brand, text }) => {
        const { mentioned, tier, rank, context, span } = inText(text, brand)
        if (!mentioned) assert.deepStrictEqual([tier, rank, context, span], [null, null, "", null])
        else {
          assert.isAtLeast(rank ?? 0, 1)
          assert.isNotNull(tier)
          assert.include(context, text.slice(...(span ?? [0, 0])).trim())
        }
      }),
      { numRuns: 400 }
    ))

  it("|context| ≤ 300 code points", () =>
    fc.assert(
      fc.property(
        answer,
        fc.nat(400),
        fc.nat(400),
        fc.constantFrom("x", "wort ", "😀", "漢。", "a. "),
        ({ brand, text }, left, right, part) => {
          const { context } = inText(`${part.repeat(left)} ${text.replaceAll("\n", " ")} ${part.repeat(right)}`, brand)
          assert.isAtMost(Array.from(context).length, 300)
        }
      )
    ))
})
