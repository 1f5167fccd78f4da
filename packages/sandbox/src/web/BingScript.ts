/** The script of the simulated Bing page: once cookies are accepted, it fetches the answer and shows it. */
export const bingScript = `
const place = document.getElementById("copans_container")
const banner = document.getElementById("bnp_container")

const show = (html) => {
  place.innerHTML = html
  const control = place.querySelector('[aria-label^="See more"]')
  control?.addEventListener("click", () => {
    place.querySelector(".rest").hidden = false
    control.hidden = true
  })
}

const load = () =>
  fetch(pageData.address)
    .then((response) => response.text())
    .then(show, () => show("Try again later."))

if (banner === null) load()
else {
  document.getElementById("bnp_btn_accept").addEventListener("click", () => {
    banner.remove()
    load()
  })
}`
