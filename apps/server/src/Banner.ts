import { Effect } from "effect"

/**
 * The addresses of a process, and the key to try it with. Shape: `api` is there if the process runs the API; `live` says how
 * live surfaces are captured for test keys, if the process captures them.
 */
interface Addresses {
  readonly api?: string
  readonly admin: string
  readonly live?: string
  readonly key?: string
}

const trial = (api: string, key: string): ReadonlyArray<string> => [
  `  Test key   ${key}`,
  "",
  "Try it:",
  `  curl -s ${api}/v1/check -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"query":"best running shoes","brand":"Nike"}'`
]

/** Prints what a person who has just started the program needs to know, even if logs are JSON. */
export const printBanner = ({ api, admin, live, key }: Addresses) =>
  Effect.sync(() => {
    const lines = [
      "",
      "Sightline is ready.",
      ...(api === undefined ? [] : [`  Dashboard  ${api}/`, `  API        ${api}`, `  Reference  ${api}/docs`]),
      `  Operators  ${admin}`,
      ...(live === undefined ? [] : [`  Live modes ${live}`]),
      ...(api === undefined || key === undefined ? [] : trial(api, key)),
      "",
      ""
    ]
    process.stdout.write(lines.join("\n"))
  })
