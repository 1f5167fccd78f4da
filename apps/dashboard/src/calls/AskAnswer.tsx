import type { AskResult } from "@sightline/contract/AskResult"
import { Status, type Tone } from "@sightline/dashboard/kit/Status.tsx"
import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { ExternalLink } from "@sightline/dashboard/text/ExternalLink.tsx"
import { countText, durationText, platformText, wordText } from "@sightline/dashboard/text/Format"
import { Highlight } from "@sightline/dashboard/text/Highlight.tsx"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { AnswerCard, Part } from "./AnswerCard.tsx"
import { Receipt } from "./Receipt.tsx"

type Mention = AskResult["brand_mentions"][number]
type Provider = AskResult["providers"][number]

const feelings: Readonly<Record<string, Tone>> = { positive: "good", negative: "bad" }

const mentionColumns = [
  { header: "Brand", sortable: true, value: ({ brand }: Mention) => brand },
  { header: "Provider", sortable: true, value: ({ provider }: Mention) => platformText(provider) },
  { header: "Rank", figure: true, sortable: true, value: ({ rank }: Mention) => rank },
  {
    header: "Sentiment",
    value: ({ sentiment }: Mention) => sentiment,
    cell: ({ sentiment }: Mention) => <Status tone={feelings[sentiment] ?? "plain"}>{sentiment}</Status>
  },
  {
    header: "In words",
    value: ({ context }: Mention) => context,
    cell: ({ context, brand }: Mention) => <Highlight text={context} brand={brand} limit={400} />
  }
]

const ProviderCard = ({ entry, brand }: { readonly entry: Provider; readonly brand: string | undefined }) => {
  if ("error" in entry)
    return (
      <AnswerCard platform={entry.provider} badges={<Status tone="bad">no answer</Status>}>
        <p>
          {wordText(entry.error.code)}: <HostileText text={entry.error.message} limit={300} />
        </p>
        <p className="muted">Not charged.</p>
      </AnswerCard>
    )
  const { model, content, tokens, latency_ms, citations } = entry
  return (
    <AnswerCard platform={entry.provider} badges={<Status tone="plain">{model}</Status>}>
      <p className="prose">
        {brand === undefined ? <HostileText text={content} /> : <Highlight text={content} brand={brand} />}
      </p>
      <p className="muted">
        {durationText(latency_ms)} · {countText(tokens.input)} tokens in, {countText(tokens.output)} out
      </p>
      <Part title="Citations" count={citations.length}>
        <ol>
          {citations.map(({ url, title }) => (
            <li key={url}>
              <ExternalLink url={url} title={title} />
            </li>
          ))}
        </ol>
      </Part>
    </AnswerCard>
  )
}

interface AskAnswerProps {
  readonly answer: AskResult
  /** The brands that were looked for. */
  readonly tracked: ReadonlyArray<string>
}

// An engine that failed may have named a brand, so nothing is said of it.
const Unnamed = ({ answer: { brand_mentions, providers }, tracked }: AskAnswerProps) => {
  const named = new Set(brand_mentions.map(({ brand }) => brand))
  const unnamed = [...new Set(tracked)].filter((brand) => !named.has(brand))
  if (unnamed.length === 0 || providers.every((entry) => "error" in entry)) return null
  return (
    <>
      <p>Named in no answer:</p>
      <ul aria-label="Named in no answer">
        {unnamed.map((brand) => (
          <li key={brand}>
            <HostileText text={brand} limit={80} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The result of an ask: each provider's answer, the tracked brands, and the sources of all answers. */
export const AskAnswer = ({ answer, tracked }: AskAnswerProps) => (
  <>
    <Receipt
      cost={answer.usage.cost_cents}
      durationMs={answer.usage.latency_ms}
      cached={answer.cached}
      cache={answer.cache_tier}
      requestId={answer.request_id}
    />
    {answer.brand_mentions.length > 0 && (
      <DataTable
        caption="Tracked brands"
        name="brand-mentions"
        columns={mentionColumns}
        rows={answer.brand_mentions}
        keyOf={({ brand, provider }) => `${brand} ${provider}`}
        empty={null}
      />
    )}
    <Unnamed answer={answer} tracked={tracked} />
    <div className="answers">
      {answer.providers.map((entry) => (
        <ProviderCard key={entry.provider} entry={entry} brand={answer.brand_mentions[0]?.brand} />
      ))}
    </div>
    <Part title="Sources of all answers" count={answer.citations.length}>
      <ol>
        {answer.citations.map(({ canonical_url, title, providers_cited }) => (
          <li key={canonical_url}>
            <ExternalLink url={canonical_url} title={title} />{" "}
            <span className="muted">{providers_cited.map(platformText).join(", ")}</span>
          </li>
        ))}
      </ol>
    </Part>
  </>
)
