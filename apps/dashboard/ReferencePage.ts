import { Api } from "@sightline/contract/Api"
import { HttpRouter } from "effect/http"
import { HttpApiScalar } from "effect/http-api"

/** The language, which the library does not say: without it a screen reader reads the page in its user's. */
const inEnglish = (page: string) => page.replace("<html>", '<html lang="en">')

const route = HttpApiScalar.layer(Api, {
  path: "/docs",
  scalar: { authentication: { preferredSecurityScheme: "bearer" }, withDefaultFonts: false }
})

/** The interface for people, as one page of HTML with nothing from elsewhere. */
export const referencePage = async (): Promise<string> => {
  const { handler, dispose } = HttpRouter.toWebHandler(route, { disableLogger: true })
  const response = await handler(new Request("http://localhost/docs"))
  const page = await response.text()
  await dispose()
  return inEnglish(page)
}
