/** The script of the simulated Gemini page. Each line of the page's stream brings all blocks of the answer so far. */
export const geminiScript = `
const one = (selector) => document.querySelector(selector)
const composer = one('rich-textarea div[contenteditable="true"]')
const send = one('button[aria-label="Send message"]')
const stop = one('button[aria-label="Stop response"]')
const thread = one("#thread")
const signIn = one('[role="dialog"]')
signIn.querySelector("button").addEventListener("click", () => signIn.remove())
composer.addEventListener("input", () => { send.disabled = composer.textContent.trim() === "" })

const turn = { response: undefined, place: undefined }

const show = (blocks, shape) => {
  if (turn.place === undefined) {
    turn.response = add(thread, "model-response", {})
    const inside = add(turn.response, shape === "known" ? "message-content" : "message-body", {})
    turn.place = add(inside, "div", { class: shape === "known" ? "markdown" : "text", "aria-busy": "true" })
  }
  turn.place.replaceChildren()
  build(turn.place, blocks)
}

const showSources = (sources) => {
  if (sources.length === 0) return
  const button = add(turn.response, "button", { "aria-label": "Sources" }, "Sources")
  button.addEventListener("click", () => {
    const panel = add(document.body, "context-sidebar", {})
    add(panel, "h2", {}, "Sources")
    for (const { host, title, url } of sources) {
      const link = add(panel, "a", { href: url })
      add(link, "span", { class: "host" }, host)
      add(link, "span", { class: "title" }, title)
    }
  })
}

const chunk = (text) => {
  const [, , , , [[, [blocks, shape, sources]]]] = JSON.parse(JSON.parse(text)[0][2])
  show(blocks, shape)
  if (sources !== undefined) showSources(sources)
}

const agree = () => new Promise((resolve) => {
  const box = add(document.body, "div", { role: "dialog", class: "over" })
  add(box, "p", {}, "This simulated site would like to keep a cookie.")
  add(box, "button", { "aria-label": "Accept all" }, "Accept all").addEventListener("click", () => {
    box.remove()
    resolve()
  })
})

const ask = async (agreed) => {
  const response = await fetch(
    pageData.base + "/_/BardChatUi/data/assistant.lamda.BardFrontendService/StreamGenerate",
    { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ prompt: turn.question, agreed }) }
  )
  if (response.status === 403) {
    const { page } = await response.json()
    if (page !== "consent") return location.assign(pageData.base + page)
    await agree()
    return ask(true)
  }
  if (!response.ok) return add(thread, "p", { role: "alert" }, "Something went wrong.")
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const lines = (rest + value).split("\\n")
    rest = lines.pop()
    for (const line of lines) if (line.startsWith("[")) chunk(line)
  }
}

send.addEventListener("click", () => {
  turn.question = typed(composer)
  composer.textContent = ""
  send.disabled = true
  add(thread, "user-query", {}, turn.question)
  stop.hidden = false
  const finished = () => {
    stop.hidden = true
    turn.place?.setAttribute("aria-busy", "false")
  }
  ask(false).then(finished, finished)
})`
