import type { CheckFound, KeptAnswer } from "@sightline/contract/CheckHistoryApi"
import { platformText } from "@sightline/dashboard/text/Format"
import { LlmPlatform } from "@sightline/domain/Platform"

/** A check with its answers. */
export type FoundCheck = CheckFound["check"]

/** What one platform answered in it. */
export type Answer = typeof KeptAnswer.Type

/** The answers among what platforms showed: a surface without an AI answer gave none. */
export const answersIn = <Seen extends Pick<Answer, "surface_present">>(check: {
  readonly platforms: ReadonlyArray<Seen>
}): ReadonlyArray<Seen> => check.platforms.filter(({ surface_present }) => surface_present !== false)

/** Whether a platform's answer names the brand, in words. */
export const verdictOf = ({ mentioned, surface_present }: Answer): string => {
  if (surface_present === false) return "no AI answer"
  return mentioned ? "mentioned" : "not mentioned"
}

/** A page that answers cite, and which of them do. */
export interface Source {
  readonly url: string
  readonly title: string
  readonly platforms: ReadonlyArray<string>
}

/** Every page that is cited, those first that most platforms cite; each page once, under the first title it was given. */
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
 * Shape: `providers` only where a quick check asked fewer than all; which models were asked for is not kept.
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
