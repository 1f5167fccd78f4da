import { Effect } from "effect"
import { Origin } from "../Origin.ts"

/** Credentials that the simulated DataForSEO accepts. */
export const basic = `Basic ${Buffer.from("login:password").toString("base64")}`

/** One request to a capture vendor; a body that is a text is sent as it is. */
export const send = (path: string, authorization: string | undefined, body: unknown) =>
  Effect.flatMap(Origin, (origin) =>
    Effect.promise(async () => {
      const response = await fetch(origin + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...(authorization !== undefined && { authorization }) },
        body: typeof body === "string" ? body : JSON.stringify(body)
      })
      return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers }
    })
  )
