import { BlockList, isIPv4, isIPv6 } from "node:net"

const blockList = (subnets: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = "", bits = ""] = subnet.split("/")
    list.addSubnet(address, Number(bits), isIPv4(address) ? "ipv4" : "ipv6")
  }
  return list
}

/** Source: IANA special-purpose registry; the last entry is a service of the Azure platform at a routable address. */
const notGlobal4 = blockList([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32"
])

const global6 = blockList(["2000::/3"])
const notGlobal6 = blockList(["2001::/23", "2001:db8::/32", "3fff::/20"])

/** The eight groups of an IPv6 address, whichever way it is written. */
const groupsOf = (address: string): ReadonlyArray<number> => {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [, head = "", a, b, c, d] = dotted ?? []
  const pair = (high: string | undefined, low: string | undefined) => (Number(high) * 256 + Number(low)).toString(16)
  const hex = dotted === null ? address : `${head}${pair(a, b)}:${pair(c, d)}`
  const [before = "", after] = hex.split("::")
  const parse = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)))
  const left = parse(before)
  if (after === undefined) return left
  const right = parse(after)
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}

const dottedFrom = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join(".")

/** The IPv4 address inside a mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96) or 6to4 (2002::/16) address. */
const inner4 = (address: string): string | undefined => {
  const [g0 = 0, g1 = 0, g2 = 0, g3 = 0, g4 = 0, g5 = 0, g6 = 0, g7 = 0] = groupsOf(address)
  const mapped = [g0, g1, g2, g3, g4].every((group) => group === 0) && g5 === 0xffff
  const nat64 = g0 === 0x64 && g1 === 0xff9b && [g2, g3, g4, g5].every((group) => group === 0)
  if (mapped || nat64) return dottedFrom(g6, g7)
  return g0 === 0x2002 ? dottedFrom(g1, g2) : undefined
}

/**
 * Whether an IP address is globally routable. An IPv6 address that contains an IPv4 address is judged by the latter.
 *
 * Laws: total; anything other than a plain IP address (a name, an address with a zone id) is not public.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !notGlobal4.check(address, "ipv4")
  if (!isIPv6(address) || address.includes("%")) return false
  const inner = inner4(address)
  if (inner !== undefined) return isPublicAddress(inner)
  return global6.check(address, "ipv6") && !notGlobal6.check(address, "ipv6")
}

/** The network that one client is likely to have to itself: an IPv4 address, or the first 64 bits of an IPv6 address. */
export const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address
  const inner = inner4(address)
  if (inner !== undefined) return inner
  return groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")
}

/** Whether a text is a CIDR range: an address, a slash and the length of its prefix in bits. */
export const isCidr = (text: string): boolean => {
  const [, address = "", bits = ""] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text) ?? []
  return Number(bits) <= (isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1)
}

/** A predicate for the addresses of the given CIDR ranges: the receivers an operator allows although they are not public. */
export const inRanges = (cidrs: ReadonlyArray<string>): ((address: string) => boolean) => {
  const ranges = blockList(cidrs)
  return (address) =>
    isIPv4(address) ? ranges.check(address, "ipv4") : isIPv6(address) && ranges.check(address, "ipv6")
}
