/**
 * Planted faults that turned this red: citation links are kept; labels of other links are dropped; the parentheses around a group are
 * kept; a recommended host in a list is dropped, or below a numbered heading, in bold or in a table; a site's name is kept where an
 * engine's tag marks its link as a citation.
 */
import { assert, describe, it } from "vitest"
import { claimBefore, plain } from "@sightline/platforms/Claim"
import { matchText } from "@sightline/platforms/MatchText"

const link = (label: string, url = "https://shop.example/p") => `[${label}](${url})`

describe("links that only cite are removed", () => {
  it.each([
    [`Acme is best ${link("1")}.`, "Acme is best."],
    [`Acme is best ${link("shop.example")}.`, "Acme is best."],
    [`Acme is best (${link("shop.example")}).`, "Acme is best."],
    [`Acme is best ${link("brand.example")}.`, "Acme is best."],
    [`Acme is best (${link("shop.example")}, ${link("+2")}; ${link("3")}).`, "Acme is best."],
    [`Acme is best (${link("The Shop", "https://shop.example/p?utm_source=openai")}).`, "Acme is best."],
    [`Acme wins (${link("A", "https://a.example/?a=1&utm_source=chatgpt.com#b")}, ${link("2")}).`, "Acme wins."],
    [`Acme 最好（${link("shop.example")}）。`, "Acme 最好。"],
    [`Acme 最好。（${link("shop.example")}、${link("2")}）`, "Acme 最好。"],
    [`Acme 最好（${link("shop.example")})。`, "Acme 最好（)。"],
    [`Acme is best${link("[1]")}${link("[2]")}`, "Acme is best"],
    [`Acme is best ${link("")} and cheap.`, "Acme is best and cheap."],
    [`Acme ${link("Shop.Example", "https://www.shop.example/a_(b)?q=1")} wins`, "Acme wins"],
    [`Acme ${link("intranet", "https://intranet/x")} wins`, "Acme wins"],
    [`Acme [shop.example](https://shop.example/p "Shop") wins`, "Acme wins"],
    [`Acme wins.\n${link("shop.example")} *${link("shop.example")}*`, "Acme wins.\n **"],
    [`Acme   \nnext ${link("1")}\t\nlast`, "Acme\nnext\nlast"]
  ])("%j is %j", (markdown, text) => {
    assert.strictEqual(matchText(markdown), text)
  })
})

describe("text with content is kept", () => {
  it.each([
    [`Try ${link("Acme Pro")} today`, "Try Acme Pro today"],
    [`Try (${link("Acme Pro")}) today`, "Try (Acme Pro) today"],
    [`Try ${link("Acme Pro", "https://acme.example/?utm_source=openai")} today`, "Try Acme Pro today"],
    [`Try (${link("Acme", "https://acme.example/?utm_source=openai")} or so) today`, "Try (Acme or so) today"],
    [`Try (${link("shop.example")}, ${link("Acme")}) today`, "Try (, Acme) today"],
    [`1. ${link("booking.example", "https://booking.example")} for hotels`, "1. booking.example for hotels"],
    [`text\n- **${link("booking.example")}** for hotels`, "text\n- **booking.example** for hotels"],
    [`## ${link("booking.example")}`, "## booking.example"],
    [`### 1. ${link("booking.example")}`, "### 1. booking.example"],
    [`**1. ${link("booking.example")}**`, "**1. booking.example**"],
    [`**${link("booking.example")}** – hotels`, "**booking.example** – hotels"],
    [`| ${link("booking.example")} | ${link("shop.example")} |`, "| booking.example | |"],
    [`1. ${link("2")} for hotels`, "1. for hotels"],
    [
      `1. **${link("Acme 17", "/search?ibp=oshop&prds=pvt:hg")}**: soft ${link("1", "/url?q=x")}`,
      "1. **Acme 17**: soft"
    ],
    ["an array[0] and [a note] (aside)", "an array[0] and [a note] (aside)"],
    ["[label](ftp://shop.example)", "[label](ftp://shop.example)"],
    ["[open](https://shop.example", "[open](https://shop.example"]
  ])("%j is %j", (markdown, text) => {
    assert.strictEqual(matchText(markdown), text)
  })
})

describe("hostile markdown of 256 KiB is read in linear time", () => {
  const size = 256 * 1024
  const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)
  it.each([
    ["open brackets", fill("[")],
    ["closing brackets", fill("]")],
    ["brackets in turn", fill("[]")],
    ["links never closed", fill("[a](https://")],
    ["addresses that stop at the bound", fill(`[a](https://${"x".repeat(1990)} `)],
    ["addresses longer than the bound", fill(`[a](https://${"x".repeat(2100)})`)],
    ["parentheses in addresses", fill("[a](https://b(c)(d")],
    ["open parentheses in addresses", fill("[a](https://((((")],
    ["addresses on the page's own site that are never closed", fill("[a](/b")],
    ["titles never closed", fill('[a](https://b "')],
    ["groups never closed", fill("([1](https://b) ")],
    ["nothing but citations", fill("[1](https://b)")],
    ["blanks before brackets", fill(`${" ".repeat(500)}[`)],
    ["one line of list heads", fill("- [b.example](https://b.example)")]
  ])("%s", (_what, markdown) => {
    const start = process.threadCpuUsage()
    matchText(markdown)
    // Twenty times the usual time, without the time of other processes.
    assert.isBelow(process.threadCpuUsage(start).user, 500_000)
  })
})

describe("claims", () => {
  it.each([
    ["One. Two is it. ", "Two is it."],
    ["One.\n\n2. **Two** is it", "Two is it"],
    ["Made by J. Doe and Co. ", "Made by J. Doe and Co."],
    ["It costs 3.5 stars. See Acme (", "See Acme"],
    ["これは一番です。次は二番です。", "次は二番です。"],
    ["He said “No.” Then Acme won!", "Then Acme won!"],
    ["", ""]
  ])("before the end of %j: %j", (markdown, claim) => {
    assert.strictEqual(claimBefore(markdown, markdown.length), claim)
  })

  it("are a single line, without markdown, of at most 300 code points", () => {
    assert.strictEqual(plain("### Head\n- **Bold** `code` [Acme](https://a.example)"), "Head Bold code Acme")
    assert.strictEqual(Array.from(plain("😀".repeat(900))).length, 300)
  })
})
