/**
 * The egress guard's decision on a URL, without a socket: every case of the corpus, and the addresses at the edges of each range.
 *
 * Planted and seen red:
 * - the host compared only after parsing;
 * - only the first address checked instead of all;
 * - mapped, NAT64 or 6to4 addresses judged by their outer address, or by its words in another order;
 * - a prefix near the NAT64 or mapped one treated like it;
 * - a single range, port or suffix removed from its list (each in turn);
 * - ports not checked, or one number further;
 * - another default port than 443;
 * - a name of one label accepted;
 * - a name or label one letter longer or shorter;
 * - a page accepted with a user or a password before its host, or one character longer, or a page of plain HTTP refused;
 * - a network of 48 or 80 bits, or one that depends on the spelling.
 */
import { Effect, Option, Result } from "effect"
import { assert, describe, it } from "vitest"
import { makeUrlCheck } from "@sightline/egress/Egress"
import type { EgressFailed } from "@sightline/egress/EgressFailed"
import { inRanges, isPublicAddress, networkOf } from "@sightline/egress/PublicAddress"
import { isPublicName, isPublicPage, parsePublicUrl } from "@sightline/egress/PublicUrl"
import { type Case, corpus } from "./corpus.ts"

const nobody = () => false

const admit = (
  { dns, url }: Pick<Case, "dns" | "url">,
  allow: ReadonlyArray<string> = []
): Promise<Result.Result<string, EgressFailed>> => {
  const lookups = new Map<string, number>()
  const resolve = (name: string) =>
    Effect.sync(() => {
      const answers = dns?.[name] ?? dns?.[`${name}.`] ?? []
      const count = lookups.get(name) ?? 0
      lookups.set(name, count + 1)
      return answers[Math.min(count, answers.length - 1)] ?? []
    })
  return makeUrlCheck(inRanges(allow), resolve)(url, "2 seconds").pipe(
    Effect.map(({ addresses: [address] }) => address),
    Effect.result,
    Effect.runPromise
  )
}

it("the corpus is complete", () => {
  assert.strictEqual(corpus.cases.length, corpus.count)
})

// What happens after the response is tested over a socket.
const judged = corpus.cases.filter(({ stage }) => stage !== "redirect")

describe.each(judged)("$id: $why", (each) => {
  it(`${each.expect} ${JSON.stringify(each.url)}`, async () => {
    const verdict = await admit(each)
    assert.strictEqual(Result.isSuccess(verdict), each.expect === "allow")
    const address = Result.getSuccess(verdict)
    if (each.must_connect_only_to !== undefined) assert.include(each.must_connect_only_to, Option.getOrThrow(address))
  })

  it("is refused by its spelling alone if it must not be registered", () => {
    const refused = Result.isFailure(parsePublicUrl(each.url, nobody))
    assert.strictEqual(refused, each.stage === "register")
  })
})

/** First and last address of each range that is not global, and its neighbours outside, which are global. */
const edges: ReadonlyArray<readonly [inside: ReadonlyArray<string>, outside: ReadonlyArray<string>]> = [
  [["0.0.0.0", "0.255.255.255"], ["1.0.0.0"]],
  [
    ["10.0.0.0", "10.255.255.255"],
    ["9.255.255.255", "11.0.0.0"]
  ],
  [
    ["100.64.0.0", "100.127.255.255"],
    ["100.63.255.255", "100.128.0.0"]
  ],
  [
    ["127.0.0.0", "127.255.255.255"],
    ["126.255.255.255", "128.0.0.0"]
  ],
  [
    ["169.254.0.0", "169.254.255.255"],
    ["169.253.255.255", "169.255.0.0"]
  ],
  [
    ["172.16.0.0", "172.31.255.255"],
    ["172.15.255.255", "172.32.0.0"]
  ],
  [
    ["192.0.0.0", "192.0.0.255"],
    ["191.255.255.255", "192.0.1.0"]
  ],
  [
    ["192.0.2.0", "192.0.2.255"],
    ["192.0.1.255", "192.0.3.0"]
  ],
  [
    ["192.88.99.0", "192.88.99.255"],
    ["192.88.98.255", "192.88.100.0"]
  ],
  [
    ["192.168.0.0", "192.168.255.255"],
    ["192.167.255.255", "192.169.0.0"]
  ],
  [
    ["198.18.0.0", "198.19.255.255"],
    ["198.17.255.255", "198.20.0.0"]
  ],
  [
    ["198.51.100.0", "198.51.100.255"],
    ["198.51.99.255", "198.51.101.0"]
  ],
  [
    ["203.0.113.0", "203.0.113.255"],
    ["203.0.112.255", "203.0.114.0"]
  ],
  [["224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255"], ["223.255.255.255"]],
  [["168.63.129.16"], ["168.63.129.15", "168.63.129.17"]],
  [["::", "::1", "1fff:ffff::"], ["2000::"]],
  [["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"], ["2001:200::"]],
  [
    ["2001:db8::", "2001:db8:ffff::"],
    ["2001:db7::", "2001:db9::"]
  ],
  [
    ["3fff::", "3fff:fff::"],
    ["3ffe::", "3fff:1000::"]
  ],
  [["4000::", "64:ff9b:1::", "fc00::", "fe80::1", "fec0::1", "ff02::1"], ["2606:4700:4700::1111"]],
  [
    ["::ffff:10.0.0.1", "::ffff:a00:1"],
    ["::ffff:8.8.8.8", "::ffff:808:808"]
  ],
  [["64:ff9b::10.0.0.1", "64:ff9b::a00:1"], ["64:ff9b::8.8.8.8"]],
  [["::1:ffff:8.8.8.8", "64:1::8.8.8.8", "64:ff9b:1::8.8.8.8"], ["::ffff:9.0.0.1"]],
  [
    ["2002:a00:1::", "2002:7f00:1::"],
    ["2002:808:808::", "2002:900:1::"]
  ],
  [["fe80::1%eth0", "2606:4700::1%1", "localhost", "", "1.2.3", "1.2.3.4.5"], []]
]

describe.each(edges)("%j are not public, %j are", (inside, outside) => {
  it.each([...inside])("%s is not", (address) => {
    assert.isFalse(isPublicAddress(address))
  })
  it.each([...outside])("%s is", (address) => {
    assert.isTrue(isPublicAddress(address))
  })
})

describe("allowed local receivers", () => {
  it("are accepted by address, or by a name whose addresses are all allowed", async () => {
    const dns = { "local.acme.com": [["127.0.0.1"]], "half.acme.com": [["127.0.0.1", "10.0.0.1"]] }
    const allow = ["127.0.0.0/8", "::1/128"]
    const passes = async (url: string) => Result.isSuccess(await admit({ url, dns }, allow))
    assert.isTrue(await passes("https://127.0.0.1:8443/"))
    assert.isTrue(await passes("https://[::1]:8443/"))
    assert.isTrue(await passes("https://local.acme.com:8443/"))
    assert.isFalse(await passes("https://half.acme.com:8443/"))
    assert.isFalse(await passes("https://10.0.0.1:8443/"))
    assert.isFalse(await passes("http://127.0.0.1:8443/"))
  })

  it("are only those in the ranges", () => {
    const allowed = inRanges(["192.0.2.0/24"])
    assert.deepStrictEqual(["192.0.2.7", "192.0.3.0", "::1", "name"].map(allowed), [true, false, false, false])
  })
})

it("a URL has at most 2,048 code points, whatever the number of code units", () => {
  const home = "https://hooks.acme.com/"
  const most = 2048 - home.length
  const passes = (path: string) => Result.isSuccess(parsePublicUrl(home + path, () => false))
  assert.deepStrictEqual(
    ["a", "\u{1d11e}"].flatMap((letter) => [most, most + 1].map((count) => passes(letter.repeat(count)))),
    [true, false, true, false]
  )
})

it("a URL has port 443 by default, its host name no root dot, and its IPv6 address no brackets", () => {
  const leads = (url: string) => {
    const { host, literal, port } = Result.getOrThrow(parsePublicUrl(url, nobody))
    return [host, literal, port]
  }
  assert.deepStrictEqual(leads("https://HOOKS.acme.com./in"), ["hooks.acme.com", false, 443])
  assert.deepStrictEqual(leads("https://hooks.acme.com:8443/in"), ["hooks.acme.com", false, 8443])
  assert.deepStrictEqual(leads("https://[2606:4700:4700::1111]/in"), ["2606:4700:4700::1111", true, 443])
})

it.each(["a\\b", "a b", "a\tb", "a\u0001b", "?a\u0085b", "#a\\b"])(
  "a URL with %j, which parsers repair, is refused",
  (rest) => {
    assert.isTrue(Result.isFailure(parsePublicUrl(`https://hooks.acme.com/${rest}`, nobody)))
  }
)

it.each([
  ["https://acme.com/a?b#c", true],
  ["http://acme.com/", true],
  ["ftp://acme.com/", false],
  ["https://name@acme.com/", false],
  ["https://:secret@acme.com/", false],
  ["https://localhost/", false],
  ["https://8.8.8.8/", false],
  ["https://acme.com/".padEnd(2048, "a"), true],
  ["https://acme.com/".padEnd(2049, "a"), false]
])("%s may be shown as a page: %s", (url, shown) => {
  assert.strictEqual(isPublicPage(new URL(url)), shown)
})

const port = (port: number) => parsePublicUrl(`https://hooks.acme.com:${port}/in`, nobody)

it.each([
  [80, 442, 444, 1023],
  // Databases, caches and brokers.
  [3306, 4222, 5432, 6222, 6379, 8222, 9200, 11_211, 27_017],
  // Control interfaces of infrastructure.
  [2049, 2375, 2376, 2379, 6443, 10_250],
  // Ports that browsers block.
  [1719, 1720, 1723, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080]
])("ports on which other protocols listen are not allowed: %i, %i, %i, …", (...ports) => {
  for (const each of ports) assert.deepStrictEqual(port(each), Result.fail("the port is not allowed"), String(each))
})

it.each([443, 1024, 3000, 8080, 8443, 65_535])("port %i is allowed", (each) => {
  assert.isTrue(Result.isSuccess(port(each)))
})

it.each([
  ["http://acme.com/", "the URL must begin with https://"],
  ["acme.com/hook", "the URL must begin with https://"],
  ["mailto:hooks@acme.com", "the URL must begin with https://"],
  ["ftp://acme.com/", "the URL must begin with https://"],
  [" https://acme.com/", "the URL must not have blanks, controls or backslashes"],
  ["https://acme.com/a b", "the URL must not have blanks, controls or backslashes"],
  ["https://acme.com\\@other.com/", "the URL must not have blanks, controls or backslashes"],
  ["https://name:secret@acme.com/", "the URL must not have a user or a password"],
  ["https://name@acme.com/", "the URL must not have a user or a password"],
  ["https://bücher.com/", "the URL must have its host written as xn--bcher-kva.com"],
  ["https://2130706433/", "the URL must have its host written as 127.0.0.1"],
  ["https://acme.com:/", "the URL must have its host written as acme.com"],
  ["https://", "the URL cannot be read"],
  ["https://acme.com:99999/", "the URL cannot be read"],
  [`https://ü${"a".repeat(250)}.com/`, "the URL cannot be read"]
])("the reason for refusing %j is: %s", (url, reason) => {
  assert.deepStrictEqual(parsePublicUrl(url, nobody), Result.fail(reason))
})

it("a network is an IPv4 address, also one embedded in IPv6, or the first 64 bits of an IPv6 address, in any spelling", () => {
  const networks = [
    ["192.0.2.7", "::ffff:192.0.2.7", "::ffff:c000:207", "64:ff9b::192.0.2.7"],
    ["192.0.2.8"],
    ["2001:db8:0:1::", "2001:db8:0:1:ffff::9", "2001:0db8::1:0:0:0:7", "2001:DB8:0:1::"],
    ["2001:db8:0:2::"]
  ]
  for (const network of networks) assert.lengthOf(new Set(network.map(networkOf)), 1, network.join())
  assert.lengthOf(new Set(networks.map(([first = ""]) => networkOf(first))), networks.length)
})

/** A name of 253 letters if its last label but one has 30. */
const long = (letters: number) => `${"a".repeat(63)}.${`${"a".repeat(30)}.`.repeat(5)}${"a".repeat(letters)}.com`

it.each(["acme.com", "a.co", "a_b.acme.com", "xn--e1afmkfd.xn--p1ai", long(30)])("%j is a public name", (name) => {
  assert.isTrue(isPublicName(name))
})

it.each([
  "",
  "localhost",
  "a",
  "a..b",
  "-a.com",
  "a-.com",
  `${"a".repeat(64)}.com`,
  "a.b",
  "com",
  "wiki",
  "x.alt",
  "x.corp",
  "x.example",
  "x.home",
  "x.internal",
  "x.intranet",
  "x.invalid",
  "x.lan",
  "x.local",
  "x.localdomain",
  "x.localhost",
  "x.onion",
  "x.private",
  "x.test",
  "1.in-addr.arpa",
  "127.0.0.1",
  "8.8.8.8",
  "a.1",
  "Ä.com",
  long(31)
])("%j is no public name", (name) => {
  assert.isFalse(isPublicName(name))
})
