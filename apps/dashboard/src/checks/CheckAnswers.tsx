import { AnswerCard, MentionBadge } from "@sightline/dashboard/calls/AnswerCard.tsx"
import { ExternalLink } from "@sightline/dashboard/text/ExternalLink.tsx"
import { countText } from "@sightline/dashboard/text/Format"
import { Highlight } from "@sightline/dashboard/text/Highlight.tsx"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import type { Answer } from "./CheckResult.ts"
import { usePrinting } from "./Printing.ts"

/** Characters of an answer that are shown at first. More are printed, because nothing can be expanded on paper. */
const shownFirst = 1200
const printed = 20_000

/** Maximum length of the lists of sources and brands; the tables have all of them. */
const listed = 30

interface AnswerProps {
  readonly answer: Answer
  readonly brand: string
}

const AnswerText = ({ answer: { text, context, surface_present }, brand }: AnswerProps) => {
  const printing = usePrinting()
  if (surface_present === false) return <p className="muted">The page showed no AI answer to this question.</p>
  const limit = printing ? printed : shownFirst
  if (text !== null) return <Highlight key={limit} text={text} brand={brand} limit={limit} />
  return (
    <>
      <p className="muted">The whole text is no longer kept.</p>
      {context !== "" && <Highlight text={context} brand={brand} limit={limit} />}
    </>
  )
}

const Brands = ({ brands, brand }: { readonly brands: Answer["brands"]; readonly brand: string }) => (
  <div>
    <h4>Brands named</h4>
    {brands.length === 0 ? (
      <p className="muted">None.</p>
    ) : (
      <ol className="named">
        {brands.slice(0, listed).map((name) => (
          <li key={name} data-own={name.toLowerCase() === brand.toLowerCase()}>
            <HostileText text={name} limit={80} />
          </li>
        ))}
      </ol>
    )}
  </div>
)

const Citations = ({ citations }: Pick<Answer, "citations">) => (
  <div>
    <h4>Sources ({countText(citations.length)})</h4>
    {citations.length === 0 ? (
      <p className="muted">None cited.</p>
    ) : (
      <ol className="cited">
        {[...new Map(citations.map((citation) => [citation.url, citation])).values()]
          .slice(0, listed)
          .map(({ url, title }) => (
            <li key={url}>
              <ExternalLink url={url} title={title} />
            </li>
          ))}
      </ol>
    )}
  </div>
)

const AnswerColumn = ({ answer, brand }: AnswerProps) => (
  <AnswerCard platform={answer.platform} badges={<MentionBadge {...answer} />}>
    <div className="prose">
      <AnswerText answer={answer} brand={brand} />
    </div>
    <Brands brands={answer.brands} brand={brand} />
    <Citations citations={answer.citations} />
  </AnswerCard>
)

interface AnswersProps {
  readonly answers: ReadonlyArray<Answer>
  readonly brand: string
}

/** What the platforms answered, side by side where there is room. */
export const CheckAnswers = ({ answers, brand }: AnswersProps) => (
  <div className="answers aligned">
    {answers.map((answer) => (
      <AnswerColumn key={answer.platform} answer={answer} brand={brand} />
    ))}
  </div>
)
