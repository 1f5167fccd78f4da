import { MentionBadge } from "@sightline/dashboard/calls/AnswerCard.tsx"
import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { ExternalLink } from "@sightline/dashboard/text/ExternalLink.tsx"
import { failureText } from "@sightline/dashboard/text/FailureWords"
import { nothing, platformText } from "@sightline/dashboard/text/Format"
import { Highlight } from "@sightline/dashboard/text/Highlight.tsx"
import { type Answer, type FoundCheck, type Source, sourcesOf, verdictOf } from "./CheckResult.ts"

type Failed = FoundCheck["failures"][number]

const resultColumns = (brand: string) => [
  { header: "Platform", sortable: true, value: ({ platform }: Answer) => platformText(platform) },
  {
    header: "Verdict",
    value: verdictOf,
    cell: (answer: Answer) => <MentionBadge {...answer} rank={null} />
  },
  { header: "Rank", figure: true, sortable: true, value: ({ rank }: Answer) => rank },
  { header: "Brands", figure: true, sortable: true, value: ({ brands }: Answer) => brands.length },
  { header: "Sources", figure: true, sortable: true, value: ({ citations }: Answer) => citations.length },
  {
    header: "In what words",
    value: ({ context }: Answer) => context,
    cell: ({ context }: Answer) => (context === "" ? nothing : <Highlight text={context} brand={brand} limit={400} />)
  },
  { header: "Model", value: ({ model }: Answer) => model }
]

/** The result of each platform, one per row. */
export const ResultTable = ({ check: { id, brand, platforms } }: { readonly check: FoundCheck }) => (
  <DataTable
    caption="Result by platform"
    captionHidden
    name={`check-${id}-results`}
    columns={resultColumns(brand)}
    rows={platforms}
    keyOf={({ platform }) => platform}
    empty={<Empty title="No platform answered." />}
  />
)

const failureColumns = [
  { header: "Platform", value: ({ platform }: Failed) => platformText(platform) },
  { header: "What happened", value: ({ code }: Failed) => failureText(code) },
  { header: "Code", value: ({ code }: Failed) => code, cell: ({ code }: Failed) => <code>{code}</code> }
]

/** The platforms that gave no answer, and the reasons. */
export const FailureTable = ({ check: { id, failures } }: { readonly check: FoundCheck }) => (
  <DataTable
    caption="Platforms without an answer"
    captionHidden
    name={`check-${id}-failures`}
    columns={failureColumns}
    rows={failures}
    keyOf={({ platform }) => platform}
    empty={<Empty title="Every platform answered." />}
  />
)

const sourceColumns = [
  {
    header: "Page",
    sortable: true,
    value: ({ title, url }: Source) => title || url,
    cell: ({ url, title }: Source) => <ExternalLink url={url} title={title} />
  },
  { header: "Address", sortable: true, value: ({ url }: Source) => url },
  {
    header: "Platforms",
    figure: true,
    sortable: true,
    value: ({ platforms }: Source) => platforms.length
  },
  { header: "Cited by", value: ({ platforms }: Source) => platforms.join(", ") }
]

/** Every page the answers cite. */
export const SourceTable = ({ check }: { readonly check: FoundCheck }) => (
  <DataTable
    caption="Cited pages"
    captionHidden
    name={`check-${check.id}-sources`}
    columns={sourceColumns}
    rows={sourcesOf(check)}
    keyOf={({ url }) => url}
    empty={<Empty title="No answer cites a page." />}
  />
)
