/**
 * What the command line does without an answer, or with one that it should distrust; as a process.
 *
 * Planted and seen red:
 * - 402 ends like any other refusal
 * - an address is printed with its password
 * - only the first of the wrong fields is named
 * - cells are printed as they came
 * - a closed pipe is a failure
 * - a refusal's body is not on standard output
 * - an unreadable answer counts as a usage error
 * - with `--json`, any page or an empty body counts as an answer
 * - an Idempotency-Key may contain what a header cannot carry
 * - an address may have a query
 * - a figure, and so a wait, is printed twice
 * - the second of two models for one platform is silently used
 * - an invalid number is reported in the library's words
 */
import { spawn } from "node:child_process"
import { open } from "node:fs/promises"
import { assert, describe, it } from "vitest"
import { generous, operator } from "../http/program.ts"
import { started } from "../http/started.ts"
import { compiled } from "../services/compiled.ts"
import { freePort } from "../services/freePort.ts"
import { fakeServer, sightline, type Ended } from "./command.ts"

const { env, program } = await started()
const api = operator(program, env.ADMIN_TOKEN)
const [rich, none] = [await api.account("rich"), await api.account("poor")]
await api.topUp(rich, 100_000)
const key = (await api.key(rich, { rate_limits: generous })).key
const readOnly = (await api.key(rich, { read_only: true })).key
const limited = (await api.key(rich, { rate_limits: { "check:quick": { burst: 1, per_second: 0.001 } } })).key
const poor = (await api.key(none)).key

const as = (text: string, ...args: ReadonlyArray<string>): Promise<Ended> =>
  sightline({ SIGHTLINE_URL: program.base, SIGHTLINE_API_KEY: text }, args)

/** The exit code and message of a command that wrote one line on standard error, and nothing else. */
const complaint = ({ code, stdout, stderr }: Ended): readonly [number | null, string] => {
  assert.strictEqual(stdout, "")
  assert.match(stderr, /^sightline: [^\n]+\n$/)
  return [code, stderr.slice("sightline: ".length).trim()]
}

const check = ["check", "best crm", "--brand", "HubSpot"]

describe("each failure has its exit code and one line", () => {
  it("2: a setting is missing, or an address, a flag or a value is invalid", async () => {
    const [setting, address, query, fragment, user, flag, value, word, ...unsent] = await Promise.all([
      sightline({ SIGHTLINE_URL: program.base }, check),
      as(key, "usage", "--url", "ftp://127.0.0.1"),
      as(key, "usage", "--url", `${program.base}?x=1`),
      as(key, "usage", "--url", `${program.base}/#`),
      as(key, "usage", "--url", program.base.replace("//", "//somebody:hush@")),
      as(key, ...check, "--colour"),
      as(key, "watch", "list", "--limit", "201"),
      as(key, ...check, "--mode", "sideways"),
      ...["", " a", "a ", "é", "a".repeat(201)].map((text) => as(key, ...check, "--idempotency-key", text))
    ])
    assert.deepEqual(complaint(setting), [2, "SIGHTLINE_API_KEY is not set"])
    assert.deepEqual(complaint(address), [2, "the address of the API must begin with http:// or https://"])
    const whole = "the address of the API must have no query and no fragment"
    assert.deepEqual([query, fragment].map(complaint), [
      [2, whole],
      [2, whole]
    ])
    assert.deepEqual(complaint(user), [2, "the address of the API must have no user and no password"])
    assert.deepEqual([flag.code, flag.stdout, value.code, word.code], [2, "", 2, 2])
    assert.match(
      flag.stderr,
      /^sightline: Unrecognized flag: --colour [^\n]*\nsightline: see sightline check --help\n$/
    )
    assert.match(complaint(value)[1], /^`limit` must be /)
    assert.match(word.stderr, /"sideways"/)
    for (const { code, stderr } of unsent) {
      assert.strictEqual(code, 2)
      assert.include(stderr, "1 to 200 characters")
    }
  })

  it("2: a single option or value is given twice, or a platform has two models; the line names the option", async () => {
    const twice = async (...args: ReadonlyArray<string>): Promise<string> => {
      const { code, stdout, stderr } = await as(key, ...args)
      assert.deepEqual([code, stdout], [2, ""], args.join(" "))
      return stderr.split("\n")[0] ?? ""
    }
    const model = (name: string) => ["--model", `chatgpt=${name}`]
    const [brand, address, json, models, half, provider] = await Promise.all([
      twice(...check, "--brand", "Zoho"),
      twice("wallet", "--url", program.base, "--url", program.base),
      twice("wallet", "--json", "--json"),
      twice(...check, ...model("gpt-5.4"), ...model("gpt-4o")),
      twice(...check, "--model", "chatgpt="),
      twice(...check, "--provider", "claude", "--provider", "claude")
    ])
    const once = (name: string) => `sightline: ${name} may be given only once`
    assert.deepEqual([brand, address, json], [once("--brand"), once("--url"), once("--json")])
    assert.match(models, /--model: "chatgpt=gpt-5.4,chatgpt=gpt-4o"\. Expected: one model of each platform$/)
    assert.match(provider, /--provider: "claude,claude"\. Expected: each value once$/)
    assert.match(half, /--model: "chatgpt="\. Expected: NAME=MODEL$/)
  })

  it("2: an invalid number is reported in our words, with the name of its option or argument", async () => {
    const lines = await Promise.all([
      as(key, "discover", "HubSpot", "--count", "few"),
      as(key, "discover", "HubSpot", "--count", "1.5"),
      as(key, "ask", "best crm", "--temperature", ""),
      as(key, "admin", "topup", "a", "much")
    ])
    assert.deepEqual(
      lines.map(({ code, stderr }) => [code, stderr.split("\n")[0]]),
      [
        [2, "sightline: --count must be a number"],
        [2, "sightline: --count must be a whole number"],
        [2, "sightline: --temperature must be a number"],
        [2, "sightline: credits must be a number"]
      ]
    )
  })

  it("2: a misspelled command or option gets a suggestion", async () => {
    const [command, option] = await Promise.all([as(key, "chek"), as(key, ...check, "--mod", "quick")])
    assert.strictEqual(
      complaint({ ...command, stderr: command.stderr.replace(/sightline: see .*\n/, "") })[1],
      'Unknown subcommand "chek" for "sightline"; did you mean check?'
    )
    assert.match(option.stderr, /^sightline: Unrecognized flag: --mod [^\n]*; did you mean [^\n]*--mode\b[^\n]*\?\n/)
  })

  it("3: the key is unknown, or lacks the permission", async () => {
    const [unknown, forbidden] = await Promise.all([as("lvk_test_nobody", "usage"), as(readOnly, ...check)])
    assert.match(complaint(unknown).join(" "), /^3 unauthorized: /)
    assert.match(complaint(forbidden).join(" "), /^3 forbidden: /)
  })

  it("4: the API refuses the request, and the line names each field", async () => {
    const [fields, unknown, roadmap] = await Promise.all([
      as(key, "check", "", "--brand", "", "--model", "bard=1"),
      as(key, "watch", "show", "none"),
      as(key, ...check, "--mode", "deep")
    ])
    assert.match(complaint(fields).join(" "), /^4 invalid_request: `query` .+[^.]; `brand` .+[^.]; `models\.bard` /)
    assert.lengthOf(complaint(fields)[1].match(/`[a-z.]+`/g) ?? [], 3)
    assert.match(complaint(unknown).join(" "), /^4 watch_not_found: /)
    assert.match(complaint(roadmap).join(" "), /^4 mode_roadmap: /)
  })

  it("5: the balance is too low, and the line says by how much; 6: the rate limit is reached, and the line says for how long", async () => {
    const [short, first] = await Promise.all([as(poor, ...check), as(limited, ...check)])
    assert.match(
      complaint(short).join(" "),
      /^5 insufficient_balance: The balance of 0 credits does not cover the price of 150; http\S+$/
    )
    assert.strictEqual(first.code, 0)
    assert.match(
      complaint(await as(limited, ...check)).join(" "),
      /^6 rate_limited: Too many requests\. Retry in \d+ s\.$/
    )
  })

  it("7: the server is unreachable, or the answer is not the API's or is cut off", async () => {
    const free = `http://127.0.0.1:${await freePort()}`
    const odd = await fakeServer((request, response) => {
      if (request.url?.startsWith("/v1/usage") === true)
        response.writeHead(502, { "content-type": "text/html" }).end("<h1>no</h1>")
      else if (request.url === "/v1/wallet") response.writeHead(200).end("<h1>sign in to this network</h1>")
      else if (request.url === "/v1/discover")
        response
          .writeHead(200, { "content-type": "text/event-stream" })
          .end('event: answer\ndata: {"platform":"claude","state":"failed"}\n\n')
      else if (request.url === "/v1/models") response.writeHead(200).end('{"mod')
      else if (request.url === "/v1/health")
        response.writeHead(500).end('{"error":{"code":"internal_error","message":"sorry"}}')
      else if (request.url === "/v1/compare") response.writeHead(200).end()
      else if (request.url === "/v1/ledger")
        response.writeHead(200, { "content-length": 100 }).write("{", () => response.destroy())
      else
        response
          .writeHead(200, { "content-type": "text/event-stream" })
          .end('event: platform\ndata: {"platform":"claude","state":"asked"}\n\n')
    })
    const at = (...args: ReadonlyArray<string>) => as(key, ...args, "--url", odd.url)
    const [nobody, page, half, error, broken, unknown, portal, nothing, torn] = await Promise.all([
      as(key, "usage", "--url", free),
      at("usage"),
      at("models"),
      at("health"),
      at(...check),
      at("discover", "HubSpot"),
      at("wallet", "--json"),
      at("compare", "--query", "best crm", "--brand-a", "HubSpot", "--brand-b", "Zoho", "--json"),
      at("ledger")
    ])
    await odd.stop()
    assert.deepEqual(complaint(nobody), [7, `${free} cannot be reached (ECONNREFUSED)`])
    assert.deepEqual(complaint(page), [7, "the answer 502 is not the API's"])
    assert.deepEqual(complaint(half), [7, "the answer is not one this version knows; --json shows it"])
    assert.deepEqual(complaint(error), [7, "internal_error: sorry"])
    assert.deepEqual(complaint(broken), [7, "the answer ended before its end"])
    assert.deepEqual(complaint(unknown), [7, "the answer cannot be read"])
    assert.deepEqual(complaint(nothing), [7, "the answer ended before its end"])
    assert.deepEqual(complaint(torn), [7, `the answer of ${odd.url} cannot be read`])
    assert.deepEqual(portal, {
      code: 7,
      stdout: "<h1>sign in to this network</h1>\n",
      stderr: "sightline: the answer is not JSON\n"
    })
  })

  it("a refusal with --json prints the API's body on standard output, and still one line on standard error", async () => {
    const { code, stdout, stderr } = await as(key, "watch", "show", "none", "--json")
    assert.strictEqual(code, 4)
    assert.strictEqual(JSON.parse(stdout).error.code, "watch_not_found")
    assert.match(stderr, /^sightline: watch_not_found: [^\n]+\n$/)
  })
})

describe("secrets and untrusted text", () => {
  it("no secret is accepted as an argument or printed, whatever fails", async () => {
    const hidden = "lvk_test_a-secret-with-a-line\nbreak"
    const ended = await Promise.all([
      as(hidden, "usage"),
      as(hidden.replace("\n", ""), "usage"),
      as(hidden.replace("\n", ""), "usage", "--url", "http://user:a-secret-with@127.0.0.1:1"),
      as(key, "usage", "--api-key", "x"),
      as(key, "--help")
    ])
    for (const { stdout, stderr } of ended) assert.notInclude(stdout + stderr, "a-secret-with")
    assert.deepEqual(
      ended.map(({ code }) => code),
      [2, 3, 2, 2, 0]
    )
    assert.notMatch(ended[4]?.stdout ?? "", /--[a-z-]*(?:key|token|secret)/)
  })

  it("untrusted text moves no cursor and reverses no text", async () => {
    const strange = "best\u001b]0;owned\u0007 \u009b31mcrm\r\n\u202eevil\u2066 \u00ad\u{e0041}"
    const { code, stdout } = await as(key, "check", strange, "--brand", "HubSpot")
    assert.strictEqual(code, 0)
    assert.match(
      stdout,
      /^query +best<U\+001B>\]0;owned<U\+0007> <U\+009B>31mcrm <U\+202E>evil<U\+2066> <U\+00AD><U\+E0041>$/m
    )
    assert.notMatch(stdout, /(?!\n)\p{Cc}|\p{Cf}/u)
    const refused = await as(key, "check", strange, "--brand", strange, "--mode", strange)
    assert.notMatch(refused.stderr, /(?!\n)\p{Cc}|\p{Cf}/u)
  })

  it("a closed pipe causes no error message", async () => {
    const child = spawn(process.execPath, ["apps/cli/src/main.ts", "models"], {
      env: { ...compiled, PATH: process.env["PATH"], SIGHTLINE_URL: program.base, SIGHTLINE_API_KEY: key },
      stdio: ["ignore", "pipe", "pipe"]
    })
    child.stdout.destroy()
    let stderr = ""
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    const code = await new Promise((resolve) => child.once("close", resolve))
    assert.deepEqual([code, stderr], [0, ""])
  })

  it("7: an output that cannot be written is reported in one line", async () => {
    const full = await open("/dev/full", "w")
    const child = spawn(process.execPath, ["apps/cli/src/main.ts", "models"], {
      env: { ...compiled, PATH: process.env["PATH"], SIGHTLINE_URL: program.base, SIGHTLINE_API_KEY: key },
      stdio: ["ignore", full.fd, "pipe"]
    })
    let stderr = ""
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    const code = await new Promise((resolve) => child.once("close", resolve))
    await full.close()
    assert.deepEqual([code, stderr], [7, "sightline: the output cannot be written (ENOSPC)\n"])
  })

  it("shells get completions", async () => {
    const shells = ["bash", "zsh", "fish"].map((shell) => sightline({}, ["--completions", shell]))
    for (const { code, stdout } of await Promise.all(shells)) {
      assert.strictEqual(code, 0)
      assert.include(stdout, "discover")
    }
  })
})
