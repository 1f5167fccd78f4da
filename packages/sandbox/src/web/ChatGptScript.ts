/** The script of the simulated ChatGPT page. Its calls go to `pageData.base`. */
export const chatGptScript = `
const one = (selector) => document.querySelector(selector)
const composer = one("#prompt-textarea")
const send = one('[data-testid="send-button"]')
const stop = one('[data-testid="stop-button"]')
const thread = one("#thread")

one('[data-testid="cookie-banner"] button').addEventListener("click", () => one('[data-testid="cookie-banner"]').remove())
composer.addEventListener("input", () => { send.disabled = composer.textContent.trim() === "" })

const turn = (role) => {
  const article = add(thread, "article", { "data-testid": "conversation-turn-" + (thread.children.length + 1) })
  return add(article, "div", { "data-message-author-role": role })
}

const call = (path, body) =>
  fetch(pageData.base + path, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body)
  })

const dialog = (title, parts) => {
  const box = add(document.body, "div", { role: "dialog", "aria-modal": "true", class: "over" })
  add(box, "h2", {}, title)
  parts(box)
  return box
}

const stayLoggedOut = () => new Promise((resolve) => {
  const box = dialog("Thanks for trying this simulated chat", (inside) => {
    add(inside, "button", {}, "Log in")
    add(inside, "button", { "data-testid": "stay-logged-out" }, "Stay logged out").addEventListener("click", () => {
      box.remove()
      resolve()
    })
  })
})

const plain = (text) => text
  .replace(/ ?\\uE200(\\w+)\\uE202([^\\uE201]*)\\uE201/g, (token, kind, rest) =>
    kind === "entity" ? (token[0] === " " ? " " : "") + JSON.parse(rest)[1] : "")
  .replace(/\\uE200[^\\uE201]*$/, "")
  .replaceAll("**", "")

const answer = { text: "", place: undefined, adverts: [] }

const show = () => {
  answer.place ??= add(turn("assistant"), "div", { class: "markdown" })
  const shown = plain(answer.text)
  const node = answer.place.firstChild ?? answer.place.appendChild(document.createTextNode(""))
  node.data = shown
}

const take = (event, data) => {
  if (event === "delta") {
    const { p, o, v } = data
    if (o === "add" && v.message.author.role === "assistant") show()
    if (p !== undefined) answer.path = p
    if (answer.path === "/message/content/parts/0" && typeof v === "string") {
      answer.text += v
      show()
    }
  } else if (data.type === "ads") {
    for (const { carousel_cards: [card], visibility } of data.ads) {
      const place = add(thread, "aside", { class: "sponsored" })
      place.hidden = visibility.status !== "visible"
      add(place, "p", {}, "Sponsored")
      add(place, "a", { href: card.target.value }, card.title)
      add(place, "p", {}, card.body)
    }
  }
}

const frame = (text) => {
  const event = /^event: (.*)$/m.exec(text)?.[1] ?? "message"
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? ""
  if (data === "[DONE]" || data === "") return
  try {
    take(event, JSON.parse(data))
  } catch {
    answer.text = new TextDecoder().decode(Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)))
    show()
  }
}

const follow = async (response) => {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  let handedOff = false
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return handedOff
    const frames = (rest + value).split("\\n\\n")
    rest = frames.pop()
    for (const text of frames) {
      handedOff ||= text.includes('"type":"stream_handoff"')
      frame(text)
    }
  }
}

const logInWall = () => dialog("Log in to go on", (box) => {
  add(box, "input", { type: "email", placeholder: "Email" })
  add(box, "button", {}, "Go on")
})

const ask = async () => {
  const question = typed(composer)
  composer.textContent = ""
  send.disabled = true
  turn("user").textContent = question
  stop.hidden = false
  const prepared = await call("/backend-anon/f/conversation/prepare", { prompt: question })
  if (prepared.status === 403) return location.assign(pageData.base + (await prepared.json()).page)
  const { conduit_token, asks } = await prepared.json()
  if (asks) await stayLoggedOut()
  const response = await call("/backend-anon/f/conversation", { conduit_token })
  if (response.status === 401) logInWall()
  else if (!response.ok) add(thread, "p", { role: "alert" }, "Something went wrong.")
  else if (await follow(response)) await follow(await call("/backend-anon/f/conversation/resume", { conduit_token }))
}

const finished = () => { stop.hidden = true }
send.addEventListener("click", () => ask().then(finished, finished))`
