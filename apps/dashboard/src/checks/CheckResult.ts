import type { CheckFound, KeptAnswer } from "@sightline/contract/CheckHistoryApi"
import { platformText } from "@sightline/dashboard/text/Format"
import { LlmPlatform } from "@sightline/domain/Platform"

/** A check with its answers. */
export type FoundCheck = CheckFound["check"]

/** The answer of one platform in a check. */
export type Answer = typeof KeptAnswer.Type

/** The answers of a check, without the surfaces that showed no AI answer. */
export const answersIn = <Seen extends Pick<Answer, "surface_present">>(check: {
  readonly platforms: ReadonlyArray<Seen>
}): ReadonlyArray<Seen> => check.platforms.filter(({ surface_present }) => surface_present !== false)

/** Whether a platform's answer names the brand, in words. */
export const verdictOf = ({ mentioned, surface_present }: Answer): string => {
  if (surface_present === false) return "no AI answer"
  return mentioned ? "mentioned" : "not mentioned"
}

/** A cited page, and the platforms whose answers cite it. */
export interface Source {
  readonly url: string
  readonly title: string
  readonly platforms: ReadonlyArray<string>
}

/** Every cited page once, under its first title. Pages that more platforms cite come first. */
export const sourcesOf = ({ platforms }: Pick<FoundCheck, "platforms">): ReadonlyArray<Source> => {
  const cited = platforms.flatMap(({ platform, citations }) =>
    citations.map((citation) => ({ ...citation, by: platformText(platform) }))
  )
  return [...Map.groupBy(cited, ({ url }) => url)]
    .map(([url, all]) => ({
      url,
      title: all.find(({ title }) => title.trim() !== "")?.title ?? "",
      platforms: [...new Set(all.map(({ by }) => by))]
    }))
    .toSorted((a, b) => b.platforms.length - a.platforms.length)
}

/**
 * The body with which `POST /v1/check` asks the same again.
 *
 * Shape: `providers` is set only if a quick check asked fewer than all; the requested models are not stored.
 */
export const repeatOf = ({ query, brand, mode, region, city, platforms, failures }: FoundCheck) => {
  const providers = [...platforms, ...failures].map(({ platform }) => platform)
  return {
    query,
    brand,
    mode,
    ...(mode === "quick" && providers.length < LlmPlatform.literals.length ? { providers } : {}),
    region,
    ...(city === null ? {} : { city })
  }
}
