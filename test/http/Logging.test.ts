/**
 * What no log line and no trace may contain, whatever wrote it. That the program's own lines and traces pass through this filter is tested
 * in `keys.test.ts` and `traces.test.ts`.
 *
 * Planted and seen red: keys, or the credentials in an address, not redacted; a scheme or a parameter missed because of its case, or one of
 * its names missed; a secret looked for as it is, but not in its JSON encoding; a secret of 8 characters not redacted.
 */
import { redactor } from "@sightline/server/Logging"
import { assert, describe, it } from "vitest"

const secret = "hunter2-hunter2"

/** A line as it was written, and as it is logged. */
const lines: ReadonlyArray<readonly [written: string, left: string]> = [
  ["refused lvk_live_Ab3 and lvk_test_9zZ", "refused lvk_live_… and lvk_test_…"],
  [`Authorization: Bearer ${secret}`, "Authorization: Bearer …"],
  [`{"authorization":"bearer  ${secret}","status":401}`, '{"authorization":"bearer  …","status":401}'],
  [`postgres://sightline:${secret}@db.internal:5432/sightline`, "postgres://…@db.internal:5432/sightline"],
  [`nats://${secret}@nats:4222 is away`, "nats://…@nats:4222 is away"],
  ["https://hooks.acme.com/in@acme", "https://hooks.acme.com/in@acme"],
  ...["token", "secret", "password", "key", "csrf_token", "API_KEY", "Password"].map(
    (name) => [`GET /in?a=1&${name}=${secret}&b=2`, `GET /in?a=1&${name}=…&b=2`] as const
  ),
  [`{"url":"/in?key=${secret}"}`, '{"url":"/in?key=…"}'],
  ["a bearer of news, the key to it", "a bearer … news, the key to it"]
]

describe("a line", () => {
  const redact = redactor([])
  it.each(lines)("%j is logged as %j", (written, left) => assert.strictEqual(redact(written), left))
})

it("the secrets of the settings are redacted anywhere, also in their JSON encoding, from 8 characters on", () => {
  const redact = redactor(["12345678", "1234567", 'with "quotes"'])
  assert.strictEqual(redact("a12345678b 1234567 12345678"), "a…b 1234567 …")
  assert.strictEqual(redact(JSON.stringify({ by: 'with "quotes"' })), '{"by":"…"}')
})
