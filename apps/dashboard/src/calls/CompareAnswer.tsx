import type { CompareResponse, CompareSide } from "@sightline/contract/CompareApi"
import { Status } from "@sightline/dashboard/kit/Status.tsx"
import { ExternalLink } from "@sightline/dashboard/text/ExternalLink.tsx"
import { tenthsText, wordText } from "@sightline/dashboard/text/Format"
import { Highlight } from "@sightline/dashboard/text/Highlight.tsx"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { AnswerCard, MentionBadge, Part } from "./AnswerCard.tsx"
import { Receipt } from "./Receipt.tsx"

interface SideProps {
  readonly name: "A" | "B"
  readonly brand: string
  readonly side: typeof CompareSide.Type | null
  readonly failure: string | undefined
}

const Side = ({ name, brand, side, failure }: SideProps) => (
  <div className="compare-side">
    <p className="badges">
      <strong>
        {name} <HostileText text={brand} limit={60} />
      </strong>
      {side === null ? (
        <Status tone="bad">{failure === undefined ? "no answer" : wordText(failure)}</Status>
      ) : (
        <MentionBadge {...side} />
      )}
    </p>
    {side !== null && side.context !== "" && (
      <p className="prose context">
        <Highlight text={side.context} brand={brand} />
      </p>
    )}
  </div>
)

const winners = (answer: CompareResponse) => ({ a: answer.brand_a, b: answer.brand_b, tie: "" })[answer.winner]

const Leader = ({ answer }: { readonly answer: CompareResponse }) => (
  <p>
    {answer.winner === "tie" ? (
      <strong>A tie.</strong>
    ) : (
      <strong>
        {answer.winner.toUpperCase()} <HostileText text={winners(answer)} limit={100} /> is named more often.
      </strong>
    )}{" "}
    Difference {tenthsText(answer.delta_pct)} %.
  </p>
)

const isAnswered = ({ providers }: CompareResponse) =>
  Object.values(providers).some(({ a, b }) => a !== null || b !== null)

// Without any answer the API reports a tie, which here would look like a result.
const Verdict = ({ answer }: { readonly answer: CompareResponse }) => (
  <div className="note" data-tone={isAnswered(answer) ? "good" : "bad"}>
    {isAnswered(answer) && <Leader answer={answer} />}
    <p>
      <HostileText text={answer.interpretation} limit={600} />
    </p>
  </div>
)

/** The result of a comparison: the verdict, then both sides of each platform. */
export const CompareAnswer = ({ answer }: { readonly answer: CompareResponse }) => (
  <>
    <Receipt
      cost={answer.cost_cents}
      balance={answer.balance_after_cents}
      durationMs={answer.duration_ms}
      cached={false}
      requestId={answer.request_id}
    />
    <Verdict answer={answer} />
    <div className="answers">
      {Object.entries(answer.providers).map(([platform, { a, b }]) => {
        const failed = Object.entries(answer.errors ?? {}).find(([name]) => name === platform)?.[1]
        return (
          <AnswerCard key={platform} platform={platform}>
            <Side name="A" brand={answer.brand_a} side={a} failure={failed?.a?.code} />
            <Side name="B" brand={answer.brand_b} side={b} failure={failed?.b?.code} />
          </AnswerCard>
        )
      })}
    </div>
    <Part title="Citations" count={answer.citations.length}>
      <ol>
        {answer.citations.map(({ url, title }) => (
          <li key={url}>
            <ExternalLink url={url} title={title} />
          </li>
        ))}
      </ol>
    </Part>
  </>
)
