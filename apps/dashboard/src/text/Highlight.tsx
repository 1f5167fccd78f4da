import { useQuery } from "@tanstack/react-query"
import { Fragment } from "react"
import { HostileText } from "./HostileText.tsx"
import { piecesOf } from "./Marking.ts"

// The detector contains a dictionary and is larger than the rest of the page, so it is loaded when the first answer is shown.
const detector = () => import("@sightline/domain/Brand").then(({ findBrand }) => findBrand)

interface HighlightProps {
  readonly text: string
  readonly brand: string
  readonly limit?: number
}

/** An engine's text with the brand marked where the detector finds it; unmarked until the detector is loaded. */
export const Highlight = ({ text, brand, limit = 4000 }: HighlightProps) => {
  const { data: find } = useQuery({ queryKey: ["detector"], queryFn: detector, staleTime: Infinity, gcTime: Infinity })
  const draw = (shown: string) => {
    const span = find === undefined ? null : find({ text: shown, brandEntities: [] }, brand).span
    return piecesOf(shown, span).map((piece, n) =>
      // Pieces have no id and never change their order.
      // oxlint-disable-next-line react/no-array-index-key
      piece.marked ? <mark key={n}>{piece.text}</mark> : <Fragment key={n}>{piece.text}</Fragment>
    )
  }
  return <HostileText text={text} limit={limit} draw={draw} />
}
