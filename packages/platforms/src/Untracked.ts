const tracking = /^(?:utm_\w+|gclid|gbraid|wbraid|gad_source|msclkid|fbclid|srsltid)(?:=|$)/i

/** The address without what only tells its owner where a visitor came from; otherwise as it was. */
export const untracked = (url: string): string => {
  const [whole = "", ...fragments] = url.split("#")
  const [page = "", ...queries] = whole.split("?")
  if (queries.length === 0) return url
  const pairs = queries.join("?").split("&")
  const kept = pairs.filter((pair) => !tracking.test(pair))
  if (kept.length === pairs.length) return url
  return [page + (kept.length === 0 ? "" : `?${kept.join("&")}`), ...fragments].join("#")
}
