import type { CheckFailure, CheckResponse, CheckSlot } from "@sightline/contract/CheckApi"
import { Status } from "@sightline/dashboard/kit/Status.tsx"
import { ExternalLink } from "@sightline/dashboard/text/ExternalLink.tsx"
import { wordText } from "@sightline/dashboard/text/Format"
import { Highlight } from "@sightline/dashboard/text/Highlight.tsx"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { Link } from "wouter"
import { AnswerCard, MentionBadge, Part } from "./AnswerCard.tsx"
import { Receipt } from "./Receipt.tsx"

const Citations = ({ citations }: Pick<CheckSlot, "citations">) => (
  <Part title="Citations" count={citations.length}>
    <ol>
      {citations.map(({ url, title, text }) => (
        <li key={`${url} ${text ?? ""}`}>
          <ExternalLink url={url} title={title} />
          {text !== undefined && (
            <blockquote>
              <HostileText text={text} limit={300} />
            </blockquote>
          )}
        </li>
      ))}
    </ol>
  </Part>
)

const Adverts = ({ sponsored }: { readonly sponsored: NonNullable<CheckSlot["sponsored"]> }) => (
  <Part title="Adverts" count={sponsored.length}>
    <ul>
      {sponsored.map(({ advertiser, title, url, rendered }) => (
        <li key={`${url} ${title}`}>
          <ExternalLink url={url} title={title} /> <HostileText text={advertiser} limit={100} />{" "}
          <Status tone="plain">{rendered ? "shown" : "not shown"}</Status>
        </li>
      ))}
    </ul>
  </Part>
)

const Entities = ({ entities }: { readonly entities: NonNullable<CheckSlot["brand_entities"]> }) => (
  <Part title="Brands marked up" count={entities.length}>
    <ul>
      {entities.map(({ name, domain, description }) => (
        <li key={`${name} ${domain ?? ""}`}>
          <HostileText text={name} limit={100} />
          {domain !== undefined && (
            <>
              {" "}
              <span className="host">
                <HostileText text={domain} limit={100} />
              </span>
            </>
          )}
          {description !== undefined && (
            <p className="muted">
              <HostileText text={description} limit={300} />
            </p>
          )}
        </li>
      ))}
    </ul>
  </Part>
)

interface SlotProps {
  readonly platform: string
  readonly slot: CheckSlot
  readonly brand: string
}

const SlotCard = ({ platform, slot, brand }: SlotProps) => (
  <AnswerCard platform={platform} badges={<MentionBadge {...slot} />}>
    {slot.surface_present === false && <p className="muted">The surface showed no AI answer to this question.</p>}
    {slot.context !== "" && (
      <p className="prose context">
        <Highlight text={slot.context} brand={brand} />
      </p>
    )}
    {slot.raw !== undefined && slot.raw !== "" && (
      <details className="part">
        <summary>Whole answer</summary>
        <p className="prose">
          <Highlight text={slot.raw} brand={brand} />
        </p>
      </details>
    )}
    <Citations {...slot} />
    {/* Perplexity's page does not show its searches, but the questions that it suggests next. */}
    <Part title={platform === "perplexity" ? "Related questions" : "Searches it made"} count={slot.fan_out.length}>
      <ul>
        {slot.fan_out.map((search) => (
          <li key={search}>
            <HostileText text={search} limit={200} />
          </li>
        ))}
      </ul>
    </Part>
    <Entities entities={slot.brand_entities ?? []} />
    <Adverts sponsored={slot.sponsored ?? []} />
  </AnswerCard>
)

const FailureCard = ({ platform, failure }: { readonly platform: string; readonly failure: CheckFailure }) => (
  <AnswerCard platform={platform} badges={<Status tone="bad">no answer</Status>}>
    <p>
      {wordText(failure.code)}: <HostileText text={failure.message} limit={300} />
    </p>
    <p className="muted">
      Not charged.{failure.retry_after_s !== undefined && ` Ask again in ${failure.retry_after_s} s.`}
    </p>
  </AnswerCard>
)

/** The result of a check: a card for each platform, answered or not. */
export const CheckAnswer = ({
  answer,
  cache
}: {
  readonly answer: CheckResponse
  readonly cache: string | undefined
}) => (
  <>
    <Receipt
      cost={answer.cost_cents}
      balance={answer.balance_after_cents}
      durationMs={answer.duration_ms}
      cached={answer.cache_hit}
      cache={cache}
      requestId={answer.request_id}
    />
    <div className="answers">
      {Object.entries(answer.providers).map(([platform, slot]) => (
        <SlotCard key={platform} platform={platform} slot={slot} brand={answer.brand} />
      ))}
      {Object.entries(answer.errors ?? {}).map(([platform, failure]) => (
        <FailureCard key={platform} platform={platform} failure={failure} />
      ))}
    </div>
    <p>
      <Link href={`/checks/${answer.id}`}>This check in the history</Link>
    </p>
  </>
)
