import { isDigit, isLetter } from "@sightline/domain/text/Letters"

const endings = new Set(
  (
    "com org net io ai co app dev so me tv gg xyz shop store online site tech cloud info biz inc us uk de fr es it nl eu " +
    "ca au in jp cn br ru ch se no pl be at dk fi ie nz mx kr tr za sg hk pt cz gr il ae ar cl gov edu"
  ).split(" ")
)
const secondLevel = new Set(["co", "com", "org", "net", "ac", "gov", "edu"])

const reach = 200

const isAddressUnit = (unit: number): boolean => isLetter(unit) || "._~%/@?=&#:+-".includes(String.fromCharCode(unit))

/** The role of a hit in an internet name: it is the registered name, another part of it, or lies in an address. */
export type HostPart = "name" | "part" | "address"

const lastLabels = (host: string): ReadonlyArray<string> => {
  const labels = host.split(".")
  const suffix = (labels.at(-1) ?? "").length === 2 && secondLevel.has(labels.at(-2) ?? "") ? 2 : 1
  return labels.slice(0, Math.max(0, labels.length - suffix))
}

/** The registered name of a bare domain: acme of acme.co.uk; undefined for anything else. */
export const registeredName = (host: string): string | undefined => {
  if (!/^[\p{L}\p{Nd}-]+(?:\.[a-z]{2,})+$/u.test(host) || !endings.has(host.slice(host.lastIndexOf(".") + 1)))
    return undefined
  const [name, ...others] = lastLabels(host)
  return others.length === 0 ? name : undefined
}

const trailingStops = (chunk: string): number => {
  let count = 0
  while (count < chunk.length && ".:?&#=~-".includes(chunk.charAt(chunk.length - 1 - count))) count++
  return count
}

/**
 * The part a hit plays in the internet name around it; undefined where there is none. `original` is the text as
 * written: a capital after a full stop begins a sentence, not a top-level domain.
 */
export const hostPart = (
  text: string,
  start: number,
  end: number,
  original: (at: number) => string
): { readonly part: HostPart; readonly until: number } | undefined => {
  const neighbours = text.charAt(start - 1) + text.charAt(end)
  if (!/[.@/_-]/.test(neighbours)) return undefined
  let from = start
  let to = end
  while (from > 0 && start - from < reach && isAddressUnit(text.charCodeAt(from - 1))) from--
  while (to < text.length && to - end < reach && isAddressUnit(text.charCodeAt(to))) to++
  to = Math.max(end, to - trailingStops(text.slice(from, to)))
  const chunk = text.slice(from, to)
  const at = chunk.indexOf("@")
  const hostFrom = at >= 0 ? at + 1 : 0
  const slash = chunk.slice(hostFrom).search(/[/?#:]/)
  const host = chunk.slice(hostFrom, slash < 0 ? undefined : hostFrom + slash)
  const ending = host.lastIndexOf(".")
  if (ending <= 0 || !endings.has(host.slice(ending + 1))) return undefined
  const first = original(from + hostFrom + ending + 1)
  if (/\p{Lu}/u.test(first) && !/[\p{Lu}\p{Nd}]/u.test(original(from + hostFrom + ending - 1))) return undefined
  if (at > 0 || slash >= 0) return { part: "address", until: to }
  const hitFrom = start - from - hostFrom
  const hitTo = end - from - hostFrom
  // The brand is itself written as a domain.
  if (hitTo > ending) return undefined
  const registered = lastLabels(host)
  const nameTo = registered.join(".").length
  const nameFrom = nameTo - (registered.at(-1) ?? "").length
  return { part: hitFrom === nameFrom && hitTo === nameTo ? "name" : "part", until: to }
}

/** Whether a digit directly joins the hit to another number: 3M is not in 13M. */
export const cutsNumber = (text: string, start: number, end: number): boolean =>
  (isDigit(text.charCodeAt(start)) && isDigit(text.charCodeAt(start - 1))) ||
  (isDigit(text.charCodeAt(end - 1)) && isDigit(text.charCodeAt(end)))
