/**
 * Signatures as receivers check them: with the snippets of the documentation, in each of its languages.
 *
 * Planted and seen red: the signature of a body that was parsed and serialised again; a timestamp of any number of digits parsed.
 */
import { Redacted } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { sign } from "@sightline/engine/Signature"

const docs = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8")

const snippet = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(docs)?.[1] ?? assert.fail(`no snippet in ${language}`)

const secret = "5e".repeat(32)
const seconds = 1_795_000_000

/** Bodies that parsing and serialising would change. */
const bodies = [
  "{}",
  '{"a":1.0,"b":1,"c":"🙂\u2028\u2029</script>","d":"\\u00e9é","e":" \\/ "}',
  `{"long":"${"ö".repeat(20_000)}"}`
]

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "sightline-snippets-"))
  writeFileSync(
    join(directory, "verify.mjs"),
    `import { readFileSync } from "node:fs"
${snippet("js")}
const [, , secret, body, plain, timestamped, ...now] = process.argv
const headers = { "x-svc-signature": plain, "x-svc-signature-legacy": timestamped }
const bytes = readFileSync(body)
console.log(isGenuine(secret, bytes, headers), isGenuineAndFresh(secret, bytes, headers, ...now.map(Number)))`
  )
  writeFileSync(
    join(directory, "verify.py"),
    `import sys
${snippet("python")}
_, secret, body, plain, timestamped, *now = sys.argv
headers = {"x-svc-signature": plain, "x-svc-signature-legacy": timestamped}
data = open(body, "rb").read()
print(str(is_genuine(secret, data, headers)).lower(), str(is_genuine_and_fresh(secret, data, headers, *map(int, now))).lower())`
  )
  writeFileSync(
    join(directory, "verify.sh"),
    `${snippet("sh")}
t=\${4#t=}; t=\${t%%,*}
verify "$1" "$3" < "$2" && printf true || printf false
{ [ $((\${5} - t)) -le 300 ] && { printf '%s.' "$t"; cat "$2"; } | verify "$1" "\${4##*v1=}"; } && echo " true" || echo " false"`
  )
})
afterAll(() => rmSync(directory, { recursive: true }))

const programs = {
  Node: [process.execPath, "verify.mjs"],
  Python: ["python3", "verify.py"],
  shell: ["sh", "verify.sh"]
} as const

/** Both verdicts of a program. If `now` is null, it reads its own clock. */
const judging =
  ([program, script]: readonly [string, string]) =>
  (key: string, body: string, plain: string, timestamped: string, now: number | null = seconds) => {
    const file = join(directory, "body")
    writeFileSync(file, body)
    const args = [join(directory, script), key, file, plain, timestamped, ...(now === null ? [] : [String(now)])]
    return execFileSync(program, args, { encoding: "utf8" }).trim()
  }

describe.each(Object.entries(programs))("a receiver in %s", (_, program) => {
  const judge = judging(program)

  it("accepts what was signed, byte for byte", () => {
    for (const body of bodies) {
      const { plain, timestamped } = sign(Redacted.make(secret), Buffer.from(body), seconds)
      assert.strictEqual(judge(secret, body, plain, timestamped), "true true")
    }
  })

  it("rejects another body, another key, another signature and an old timestamp", () => {
    const [, body = ""] = bodies
    const { plain, timestamped } = sign(Redacted.make(secret), Buffer.from(body), seconds)
    assert.strictEqual(judge(secret, JSON.stringify(JSON.parse(body)), plain, timestamped), "false false")
    assert.strictEqual(judge("5f".repeat(32), body, plain, timestamped), "false false")
    assert.strictEqual(judge(secret, body, plain.replace(/.$/, "x"), timestamped), "false true")
    assert.strictEqual(judge(secret, body, plain, timestamped.replace("t=1795", "t=1794")), "true false")
    assert.strictEqual(judge(secret, body, plain, timestamped, seconds + 301), "true false")
    assert.strictEqual(judge(secret, body, plain, timestamped, seconds + 300), "true true")
  })
})

// The shell's snippet does not parse the timestamp.
it.each(["Node", "Python"] as const)("%s rejects a timestamp with too many digits, without an error", (language) => {
  const { plain, timestamped } = sign(Redacted.make(secret), Buffer.from("{}"), seconds)
  for (const digits of [309, 5000]) {
    const forged = timestamped.replace(String(seconds), "9".repeat(digits))
    assert.strictEqual(judging(programs[language])(secret, "{}", plain, forged, null), "true false")
  }
})

it("signatures have the format of the contract", () => {
  const { plain, timestamped } = sign(Redacted.make("key"), Buffer.from("body"), 7)
  assert.match(plain, /^[0-9a-f]{64}$/)
  assert.match(timestamped, /^t=7,v1=[0-9a-f]{64}$/)
  assert.notInclude(timestamped, plain)
})
