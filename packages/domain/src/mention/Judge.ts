import { isAbsent, isNegative } from "./Absence.ts"
import { Asides } from "@sightline/domain/text/Asides"
import { type Clause, cellsOf, clauseAround } from "@sightline/domain/text/Clause"
import { isPrivacyClaim } from "./PrivacyClaim.ts"
import { isDisclaimed, mentionsSources } from "./Disclaimer.ts"
import { isEmptyColumn } from "./EmptyColumn.ts"
import { isEnglish } from "@sightline/domain/text/PassageLanguage"
import { isHypothetical } from "./Hypothetical.ts"
import { isAffirmed } from "./Affirmed.ts"

// More hits of one brand than any real answer contains; the bound limits the cost of a hostile one.
const mostJudged = 256
// A test for disclaimers takes up to two milliseconds on a sentence that is written to be slow.
const mostRead = 12

/**
 * What the answer does at a hit: it says something of the brand, speaks of it hypothetically, or does not speak of it.
 * `next` is where the search continues.
 */
export interface Verdict {
  readonly kind: "says" | "hypothetical" | "none"
  readonly next: number
}

/** Decides whether the answer itself speaks at a hit, and remembers that the brand has been denied. */
export class Judge {
  private readonly text: string
  private readonly asides: Asides
  private english: boolean | undefined
  private judged = 0
  /** Whether the answer has denied the brand at a hit so far. */
  denied = false

  constructor(text: string) {
    this.text = text
    this.asides = new Asides(text)
  }

  private readonly inEnglish = (): boolean => (this.english ??= isEnglish(this.text))

  private readonly isDenial = (clause: Clause): boolean => {
    const negative = isNegative(clause)
    return (
      (isAbsent(clause, negative) || (this.judged <= mostRead && isDisclaimed(clause, negative, this.inEnglish))) &&
      !isAffirmed(clause) &&
      !isPrivacyClaim(clause)
    )
  }

  /**
   * Whether a clause denies its name. A table row does if the cell with the name is a denial, or if the next cell is one and either
   * mentions sources or is followed only by denials.
   */
  private denies(clause: Clause): boolean {
    const cells = cellsOf(clause)
    if (cells === undefined) return this.isDenial(clause)
    const [next, ...more] = cells.others
    if (this.isDenial(cells.own)) return true
    return next !== undefined && this.isDenial(next) && (mentionsSources(next) || more.every(this.isDenial))
  }

  /** `isOnly`: the name occurs nowhere else, so that only its sentence and the next one can deny it. */
  judge(start: number, end: number, isOnly: boolean): Verdict {
    const hidden = this.asides.hiddenUntil(start, end)
    if (hidden > 0) return { kind: "none", next: hidden }
    if (this.judged++ >= mostJudged) return { kind: "none", next: this.text.length }
    const clause = clauseAround(this.text, start, end)
    if (this.denies(clause) || isEmptyColumn(this.text, start)) {
      this.denied = true
      return { kind: "none", next: end }
    }
    return { kind: !isOnly && isHypothetical(clause) ? "hypothetical" : "says", next: end }
  }
}
