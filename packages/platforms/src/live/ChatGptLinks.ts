import { Schema } from "effect"
import type { Source } from "@sightline/platforms/Citations"
import { fitting, maybe } from "@sightline/platforms/Tolerant"
import { untracked } from "@sightline/platforms/Untracked"

const Page = Schema.Struct({ url: Schema.String, title: maybe(Schema.String), snippet: maybe(Schema.String) })

const referencesIn = fitting(
  Schema.Struct({ items: Schema.optionalKey(Schema.Unknown), sources: Schema.optionalKey(Schema.Unknown) })
)

const pagesIn = fitting(Schema.Struct({ ...Page.fields, supporting_websites: Schema.optionalKey(Schema.Unknown) }))

const supportingIn = fitting(Page)

/** The pages that an answer refers to: those of its groups, each with the pages that support it, and those of its footnote. */
export const sourcesIn = (references: unknown): ReadonlyArray<Source> =>
  referencesIn(references)
    .flatMap(({ items, sources }) => pagesIn(items).concat(pagesIn(sources)))
    .flatMap((page) => [[page], supportingIn(page.supporting_websites)].flat())
    .map(({ snippet, title, url }) => ({ url: untracked(url), title, snippet }))
