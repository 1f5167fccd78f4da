/** The script of the simulated Perplexity page. It asks as soon as it is open, or after consent if the page asks for that. */
export const perplexityScript = `
const main = document.querySelector("main")
const stop = document.querySelector('button[aria-label="Stop"]')
const consent = document.querySelector("#consent")
const signUp = document.querySelector('[role="dialog"]')
signUp.querySelector("button").addEventListener("click", () => signUp.remove())

const answer = { chunks: [], place: undefined }
const show = (text) => {
  answer.place ??= add(main, "div", { id: "markdown-content-0", class: "prose" })
  const node = answer.place.firstChild ?? answer.place.appendChild(document.createTextNode(""))
  node.data = text.replaceAll("**", "")
}

const take = (data) => {
  for (const { diff_block, markdown_block } of data.blocks) {
    for (const { path, value } of diff_block?.patches ?? []) {
      if (path === "") answer.chunks = [...value.chunks]
      else answer.chunks.push(value)
      show(answer.chunks.join(""))
    }
    if (markdown_block !== undefined) show(markdown_block.answer)
  }
  if (!data.final) return
  for (const text of data.related_queries) add(main, "p", { class: "related" }, text)
}

const frame = (text) => {
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? "{}"
  if (data === "{}") return
  try {
    take(JSON.parse(data))
  } catch {
    show(new TextDecoder().decode(Uint8Array.from(atob(data.trim()), (letter) => letter.charCodeAt(0))))
  }
}

const logInWall = () => {
  signUp.remove()
  const box = add(document.body, "div", { role: "dialog", "aria-modal": "true", class: "over" })
  add(box, "h2", {}, "Sign in to go on")
  add(box, "input", { type: "email", placeholder: "Email" })
}

const ask = async () => {
  const response = await fetch(pageData.base + "/rest/sse/perplexity_ask", {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ scene: pageData.scene })
  })
  if (response.status === 401) return logInWall()
  if (!response.ok) return add(main, "p", { role: "alert" }, "Something went wrong.")
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const frames = (rest + value).split("\\r\\n\\r\\n")
    rest = frames.pop()
    frames.forEach(frame)
  }
}

const begin = () => {
  stop.hidden = false
  const finished = () => { stop.hidden = true }
  ask().then(finished, finished)
}

if (consent === null) begin()
else consent.querySelector("button").addEventListener("click", () => {
  consent.remove()
  begin()
})`
