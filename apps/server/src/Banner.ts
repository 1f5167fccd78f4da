import { Effect } from "effect"

/** What a person who has just started the program needs: where it is, a key that works, and a line to try it with. */
export const banner = (options: {
  readonly api: string
  readonly admin: string
  readonly key: string | undefined
}): string => {
  const { api, admin, key } = options
  const lines = ["", "Sightline is ready.", `  API        ${api}`, `  Reference  ${api}/docs`, `  Operators  ${admin}`]
  if (key === undefined) return `${lines.join("\n")}\n\n`
  const curl = [
    `curl -s ${api}/v1/check`,
    `-H 'Authorization: Bearer ${key}'`,
    "-H 'Content-Type: application/json'",
    `-d '{"query":"best running shoes","brand":"Nike"}'`
  ].join(" ")
  return `${[...lines, `  Test key   ${key}`, "", "Try it:", `  ${curl}`].join("\n")}\n\n`
}

/** Prints it, also where logs are JSON. */
export const printBanner = (options: Parameters<typeof banner>[0]) =>
  Effect.sync(() => void process.stdout.write(banner(options)))
