import { isTracking } from "@sightline/domain/Tracking"

/** The address without the parameters that only track where a visitor came from; otherwise unchanged. */
export const untracked = (url: string): string => {
  const [whole = "", ...fragments] = url.split("#")
  const [page = "", ...queries] = whole.split("?")
  if (queries.length === 0) return url
  const pairs = queries.join("?").split("&")
  const kept = pairs.filter((pair) => !isTracking(pair))
  return [page + (kept.length === 0 ? "" : `?${kept.join("&")}`), ...fragments].join("#")
}
