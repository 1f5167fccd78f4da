/**
 * Planted faults that turned this red: paragraphs not parted; a list's numbers begun at 1; hidden elements written; blanks
 * inside the stars; no bound to the address or to the label of a link, or one more or less.
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
  ["bold over two lines", "<b>a<br>b</b>", "**a**\n**b**"],
  ["nothing in bold", "a<b> </b>b<i></i>", "a b"],
  ["lists", "<ul><li>a</li><li><p>b</p><p>c</p></li></ul>d", "- a\n- b\n  c\n\nd"],
  [
    "lists that begin at no number",
    '<ol start=""><li>a</li></ol><ol start="x"><li>b</li><li>c</li></ol>',
    "1. a\n\n1. b\n2. c"
  ],
  ["numbered lists", '<ol start="3"><li>a<ul><li>b</li></ul></li><li value="7">c</li></ol>', "3. a\n   - b\n7. c"],
  ["an empty item", "<ul><li></li><li>a</li></ul>", "- a"],
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
  ["a table that only lays out", '<table role="presentation"><tr><td>a</td><td>b</td></tr></table>', "a\nb"],
  ["code", "<p>run <code>npm i</code></p><pre><span>a\n  b</span></pre>", "run `npm i`\n\n```\na\n  b\n```"],
  ["links", '<a href="https://a.example/(x) y">A</a>', "[A](https://a.example/%28x%29%20y)"],
  [
    "links that lead nowhere",
    '<a href="/more">more</a> a<a href="#n">[2]</a>. <a href="javascript:0">b</a>',
    "more a. b"
  ],
  ["a link over two lines", '<a href="https://a.example/">a<br>b</a>', "a\nb"],
  ["a mark in bold that leads nowhere", '<p>a <b><a href="#1">1</a></b></p><p>b</p>', "a\n\nb"],
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

it("a link longer than what takes links out of an answer leaves its label alone: its address would be read as text", () => {
  const linked = (address: string, label: string) => markdownOf(`<a href="${address}">${label}</a>`)
  const address = "https://a.example/".padEnd(2000, "a")
  const label = "b".repeat(200)
  assert.strictEqual(linked(address, label), `[${label}](${address})`)
  assert.strictEqual(linked(`${address}a`, label), label)
  assert.strictEqual(linked(address, `${label}b`), `${label}b`)
})
