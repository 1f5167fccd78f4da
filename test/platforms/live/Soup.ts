import * as fc from "fast-check"

/** A word that is not the name of a tag or a control. */
export const word = fc.stringMatching(/^[A-Za-zäé]{1,12}$/)

const tags = "div p b strong i a ul ol li table tr td th h3 span button pre code br section script style svg sup".split(
  " "
)

const attributes = fc.constantFrom(
  "",
  " hidden",
  ' id="m-x-content"',
  ' id="rso"',
  ' data-subtree="aimc"',
  ' data-container-id="main-col"',
  ' data-subtree="msc"',
  ' data-src-id="1"',
  ' id="copans_container"',
  ' class="b_algo"',
  ' class="b_ad"',
  ' data-text-ad="1"',
  ' role="heading" aria-level="9"',
  ' role="button"',
  ' style="display:none"',
  ' data-icl-uuid="9d06f938-e592-4929-a3c9-e91ed6850001"',
  ' href="/url?q=https%3A%2F%2Fa.example%2F"',
  ' href="https://www.bing.com/ck/a?u=a1aHR0cHM6Ly9hLmV4YW1wbGUv"',
  ' href="https://a.example/#:~:text=%E0"',
  ' href="javascript:0"',
  ' start="-7"',
  " a='"
)
const tag = fc
  .tuple(fc.constantFrom("<", "</", "<"), fc.constantFrom(...tags), attributes)
  .map(([open, name, own]) => (open === "</" ? `</${name}>` : `<${name}${own}>`))
const noise = fc.constantFrom(
  " ",
  "\n",
  "&nbsp;",
  "&lt;div&gt;",
  "&#0;",
  "<",
  "<!--",
  "-->",
  '<!--Sv6Kpe[["9d06f938-e592-4929-a3c9-e91ed6850001",["T","S","https://a.example/"]]]-->',
  "<!--Sv6Kpe[[-->",
  "<![CDATA[x]]>",
  "\uD800",
  "1. ",
  "- ",
  "https://a.example/",
  "AI Overview",
  "AI responses may include mistakes"
)

const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((said) => said.join(" "))
const element = fc
  .tuple(fc.constantFrom(...tags), fc.oneof(fc.constant(""), attributes), words)
  .map(([name, own, said]) => `<${name}${own}>${said}</${name}>`)
const table = fc
  .array(fc.array(words, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .map((rows) => rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join(""))
  .map((rows) => `<table>${rows}</table>`)

/** Tags that nest one level deeper with each repetition. */
export const nested = ["<div>", "<b>a ", "<ul><li>", "<a href='/x'>a", "<table><tr><td>", "<i><b>x</b>"]

/** Markup that gives one element very many children when repeated. */
export const wide = [
  "<p>a</p>",
  "<a href='https://a.example/'>a</a>",
  "<div data-text-ad='1'><a href='https://a.example/'>a</a></div>",
  "<li class='b_ad'>a</li>",
  "<li data-src-id='1'><a href='https://a.example/'>[a](</a></li>"
]

/** Tags of search pages in any order, some of them closed, with words, characters and comments between them. */
export const soup = fc
  .array(fc.oneof(tag, word, noise, element, table, fc.constantFrom(...wide)), { maxLength: 60 })
  .map((pieces) => pieces.join(""))
