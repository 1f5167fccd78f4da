/**
 * Planted faults that turned this red:
 * - paragraphs are not separated
 * - a list's numbers begin at 1, or a descending list counts up
 * - hidden elements are written
 * - blanks stand inside the stars
 * - a paragraph or a list marker is lost with a link that leads nowhere, or its stars are kept
 * - four stars follow one, or the page's own stars are taken for markup
 * - a label with brackets is linked
 * - an empty line in an item, a table in another's cell, an item outside a list, a hidden item, a rule or code without a language is
 *   written otherwise
 * - the markup or its depth has no bound
 * - a link's address or label has no bound, or one that is off by one
 */
import { assert, it } from "vitest"
import { markdownOf } from "@sightline/platforms/live/Markdown"

it.each([
  ["headings of both kinds", '<h3>One</h3><div role="heading" aria-level="4">Two</div>a', "### One\n\n#### Two\n\na"],
  ["a heading in one line", "<h2><div>One</div><div>two</div></h2>", "## One two"],
  ["paragraphs and line ends", "<p>a<br>b</p><p>c<br><br>d</p>", "a\nb\n\nc\n\nd"],
  ["nested blocks", "<div><div><p>a</p></div></div><section>b</section>", "a\n\nb"],
  ["bold and emphasis", "a<b> b </b>c <strong><b>d</b></strong> <em>e</em>", "a **b** c **d** *e*"],
  ["bold runs that touch", "<b>a</b><b>b</b>", "**ab**"],
  ["bold runs that touch where a link that leads nowhere ends", '<a href="/x"><b>a</b></a><b>b</b>', "**ab**"],
  ["stars that the page itself says before bold", "<p>**<b>a</b></p>", "****a**"],
  ["bold over two lines", "<b>a<br>b</b>", "**a**\n**b**"],
  ["nothing in bold", "a<b> </b>b<i></i>", "a b"],
  ["lists", "<ul><li>a</li><li><p>b</p><p>c</p></li></ul>d", "- a\n- b\n  c\n\nd"],
  [
    "lists that begin at no number",
    '<ol start=""><li>a</li></ol><ol start="x"><li>b</li><li>c</li></ol>',
    "1. a\n\n1. b\n2. c"
  ],
  ["numbered lists", '<ol start="3"><li>a<ul><li>b</li></ul></li><li value="7">c</li></ol>', "3. a\n   - b\n7. c"],
  [
    "lists that count down",
    "<ol reversed><li>a</li><li hidden>b</li><li>c</li></ol><ol reversed start=5><li>d</li><li>e</li></ol>",
    "2. a\n1. c\n\n5. d\n4. e"
  ],
  ["an empty item", "<ul><li></li><li>a</li></ul>", "- a"],
  ["an item in no list", "<div><li>a<p>b</p></li></div>", "- a\n  b"],
  ["a hidden item", "<ol><li hidden>a</li><li>b</li></ol>", "1. b"],
  ["a list that opens an item", "<ul><li><ul><li>a</li><li>b</li></ul></li></ul>", "- - a\n  - b"],
  ["line ends in an item", "<ul><li>a<br><br>b</li></ul>", "- a\n  b"],
  ["rules", "a<hr>b", "a\nb"],
  ["a line end at the head of an item's heading", "<p>a</p><ul><li><h2><br>b</h2></li></ul>", "a\n\n- ## b"],
  [
    "tables",
    "<table><thead><tr><th>A<th>B</thead><tr><td>a<br>b<td><p>c</p></tr></table>",
    "| A | B |\n|---|---|\n| a b | c |"
  ],
  ["a list in a table", "<table><tr><td>A<ul><li>b<li>c</ul><pre>d\ne</pre></table>", "| A b c d e |\n|---|"],
  [
    "a table with a caption, and one without rows",
    "<table><caption>A</caption><tr><td>b</table><table>c</table>",
    "A\n\n| b |\n|---|\n\nc"
  ],
  [
    "a table in a table",
    "<table><tr><td>A<table><tr><td>b</td><td>c</td></tr></table></td></tr></table>",
    "| A b c |\n|---|"
  ],
  ["a table that only lays out", '<table role="presentation"><tr><td>a</td><td>b</td></tr></table>', "a\nb"],
  ["code", "<p>run <code>npm i</code></p><pre><span>a\n  b</span></pre>", "run `npm i`\n\n```\na\n  b\n```"],
  ["links", '<a href="https://a.example/(x) y">A</a>', "[A](https://a.example/%28x%29%20y)"],
  [
    "links that lead nowhere",
    '<a href="/more">more</a> a<a href="#n">[2]</a>. <a href="javascript:0">b</a>',
    "more a. b"
  ],
  ["a link with brackets in it", '<a href="https://a.example/">a [b]</a>', "a [b]"],
  ["no code", "a<pre> </pre>b", "a b"],
  ["a link over two lines", '<a href="https://a.example/">a<br>b</a>', "a\nb"],
  ["a mark in bold that leads nowhere", '<p>a <b><a href="#1">1</a></b></p><p>b</p>', "a\n\nb"],
  ["a mark in bold italics that leads nowhere", '<p>a <b><i><a href="#1">1</a></i></b></p><p>b</p>', "a\n\nb"],
  ["a mark that leads nowhere before anything else", '<p>a</p><p><a href="#1">1</a> b</p>', "a\n\nb"],
  ["a mark that leads nowhere at the head of an item", '<ul><li>a</li><li><a href="#1">1</a> b</li></ul>', "- a\n- b"],
  ["controls", 'a<button>Copy</button><div role="button">More</div><select><option>x</option></select>', "a"],
  ["a heading that opens a part", '<div role="button"><h3>Part</h3></div>a', "### Part\n\na"],
  ["what is hidden", 'a<p hidden>b</p><i aria-hidden="true">c</i><p style="color:red; display : none">d</p>', "a"],
  [
    "what is no text",
    "a<script>b</script><style>c</style><template>d</template><svg><title>e</title></svg><!--f-->",
    "a"
  ],
  ["characters", "a&nbsp;&amp;&lt;b&gt;  *c* 1. d", "a &<b> *c* 1. d"],
  ["broken markup", "<ul><li>a<b>b<p>c</ul></i><td>d", "- a**b**\n  **c**\n\nd"]
])("%s", (_name, html, markdown) => {
  assert.strictEqual(markdownOf(html), markdown)
})

it("a link longer than the limit for removal from answers keeps only its label, since its address would be read as text", () => {
  const linked = (address: string, label: string) => markdownOf(`<a href="${address}">${label}</a>`)
  const address = "https://a.example/".padEnd(2000, "a")
  const label = "b".repeat(200)
  assert.strictEqual(linked(address, label), `[${label}](${address})`)
  assert.strictEqual(linked(`${address}a`, label), label)
  assert.strictEqual(linked(address, `${label}b`), `${label}b`)
})

it("the first 1 MiB of markup is read, and nothing nested deeper than browsers nest", () => {
  const most = 1024 * 1024
  assert.strictEqual(markdownOf(`${"a".padEnd(most - 1)}b`), "a b")
  assert.strictEqual(markdownOf(`${"a".padEnd(most)}b`), "a")
  const nested = (depth: number) => markdownOf(`a${"<div>".repeat(depth)}b`)
  assert.deepStrictEqual([500, 600].map(nested), ["a\n\nb", "a"])
})
