/**
 * The page's own check of a signature, compared with the code that signs deliveries and with node:crypto.
 *
 * Planted faults, seen red: the timestamp is not signed with the body; 301 seconds are fresh; the secret is read as hexadecimal; the
 * body is trimmed before the check; upper-case digits are accepted.
 */
import { Redacted } from "effect"
import { createHmac } from "node:crypto"
import { assert, describe, it } from "vitest"
import { type Slip, verify } from "@sightline/dashboard/webhooks/Verification"
import { sign } from "@sightline/engine/Signature"

const secret = "5e".repeat(32)
const now = 1_795_000_000
const bodies = [
  "",
  "{}",
  '{"a":1.0,"b":1,"c":"🙂\u2028\u2029</script>","d":"\\u00e9é","e":" \\/ "}',
  `{"long":"${"ö".repeat(20_000)}"}\n`
]

const signed = (body: string, at = now) => sign(Redacted.make(secret), Buffer.from(body), at)
const plain = (body: string, key = secret) => createHmac("sha256", key).update(body).digest("hex")

describe("a genuine signature", () => {
  it("is what Signature.sign made from exactly these bytes, with and without the timestamp", async () => {
    for (const body of bodies) {
      const { plain: alone, timestamped } = signed(body, now - 7)
      assert.deepEqual(await verify({ secret, body, signature: alone }, now), { is: "genuine", age: null })
      assert.deepEqual(await verify({ secret, body, signature: timestamped }, now), { is: "genuine", age: 7 })
    }
  })

  it("may be pasted with the name of its header", async () => {
    const [body] = ["{}"]
    const { plain: alone, timestamped } = signed(body)
    for (const signature of [`X-Svc-Signature: ${alone}`, ` x-svc-signature-legacy:${timestamped}\n`])
      assert.strictEqual((await verify({ secret, body, signature }, now)).is, "genuine")
  })

  it("matches a published vector: RFC 4231, test case 2", async () => {
    const signature = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert.deepEqual(await verify({ secret: "Jefe", body: "what do ya want for nothing?", signature }, now), {
      is: "genuine",
      age: null
    })
  })
})

describe("a signed timestamp", () => {
  it("is fresh up to 300 seconds in either direction, and stale one second beyond", async () => {
    for (const [at, is] of [
      [now - 300, "genuine"],
      [now - 301, "stale"],
      [now + 300, "genuine"],
      [now + 301, "stale"]
    ] as const)
      assert.deepEqual(await verify({ secret, body: "{}", signature: signed("{}", at).timestamped }, now), {
        is,
        age: now - at
      })
  })

  it("cannot be changed: another t with the same digits is wrong, not stale", async () => {
    const signature = signed("{}", now - 4000).timestamped.replace(`t=${now - 4000}`, `t=${now}`)
    assert.deepEqual(await verify({ secret, body: "{}", signature }, now), { is: "wrong", slip: null })
  })
})

describe("an error is reported for", () => {
  const body = "{}"
  const look = (signature: string, key = secret) => verify({ secret: key, body, signature }, now)

  it("a missing secret or signature", async () => {
    assert.deepEqual(await look(plain(body), ""), { is: "missing", what: "secret" })
    assert.deepEqual(await look("  "), { is: "missing", what: "signature" })
    assert.deepEqual(await look("x-svc-signature:"), { is: "missing", what: "signature" })
  })

  it("a text that is neither of the two headers", async () => {
    for (const header of [`sha256=${plain(body)}`, `v1=${plain(body)}`, `t=now,v1=${plain(body)}`, "t=1,v1=a,v1=b"])
      assert.deepEqual(await look(header), { is: "unknown_shape" }, header)
  })

  it("a wrong length, in either header", async () => {
    assert.deepEqual(await look(plain(body).slice(1)), { is: "wrong_length", length: 63 })
    assert.deepEqual(await look(`t=${now},v1=`), { is: "wrong_length", length: 0 })
  })

  it("the first character that is not a lower-case hexadecimal digit", async () => {
    assert.deepEqual(await look(`${plain(body).slice(0, 63)}g`), { is: "not_hex", at: 63 })
    assert.deepEqual(await look(signed(body).timestamped.replace(/v1=./, "v1=A")), { is: "not_hex", at: 0 })
  })

  it("another secret, or another body", async () => {
    assert.deepEqual(await look(plain(body, "another")), { is: "wrong", slip: null })
    assert.deepEqual(await look(plain('{"a":1}')), { is: "wrong", slip: null })
  })
})

describe("damage from copying is recognised", () => {
  const body = '{"a":[1,2],\n"b":"ö"}'
  const compact = '{"a":[1,2],"b":"ö"}'
  const cases: ReadonlyArray<readonly [slip: Slip, sent: string, pasted: string, key?: string]> = [
    ["line_end_added", body, `${body}\n`],
    ["line_end_missing", `${body}\n`, body],
    ["line_ends", body.replace("\n", "\r\n"), body],
    ["reformatted", compact, JSON.stringify(JSON.parse(compact), null, 2)],
    ["secret_blanks", body, body, ` ${secret}\n`]
  ]
  for (const [slip, sent, pasted, key = secret] of cases)
    it(`finds ${slip}`, async () => {
      for (const signature of Object.values(signed(sent)))
        assert.deepEqual(await verify({ secret: key, body: pasted, signature }, now), { is: "wrong", slip })
    })
})
