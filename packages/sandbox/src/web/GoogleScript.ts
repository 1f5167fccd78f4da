/** The script of the simulated Google page: it fetches the answer, and shows more of it when that is clicked. */
export const googleScript = `
const place = document.getElementById("answer")

const clicked = (selector, act) => {
  const control = place.querySelector(selector)
  control?.addEventListener("click", () => act(control))
}

const show = (html) => {
  place.innerHTML = html
  clicked('[aria-controls="m-x-content"]', (control) => {
    place.querySelector(".rest").hidden = false
    control.setAttribute("aria-expanded", "true")
    control.hidden = true
  })
  clicked('[aria-label^="Show all"]', (control) => {
    for (const card of place.querySelectorAll("[data-src-id]")) card.hidden = false
    control.hidden = true
  })
}

const load = async () => {
  const response = await fetch(pageData.address)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let html = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return show(html)
    html += value
    // Answers of AI Mode are seen as they come; an overview is there at once.
    if (pageData.streams) show(html)
  }
}

load().catch(() => show('<div id="m-x-content" data-subtree="aimc">Try again later.</div>')).finally(() => {
  place.setAttribute("aria-busy", "false")
})`
