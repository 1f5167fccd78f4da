import { withoutTrailingBlanks } from "./MatchText.ts"

const marker = /\[(\d{1,3})\](\(https?:\/\/)?/gi

/**
 * The text without the markers (`[2]`) that refer to a result, and without the blanks before them; and the ids they refer
 * to, in order. A number in brackets that is not the id of a result stays, and so does a marker that is a link.
 */
export const withoutMarkers = (
  text: string,
  isResult: (id: number) => boolean
): { readonly said: string; readonly pointedAt: ReadonlyArray<number> } => {
  const pointedAt: Array<number> = []
  let said = ""
  let copied = 0
  for (const found of text.matchAll(marker)) {
    const id = Number(found[1])
    if (!isResult(id)) continue
    pointedAt.push(id)
    // A marker that is a link is removed later, with the other links that only cite.
    if (found[2] !== undefined) continue
    said += withoutTrailingBlanks(text, copied, found.index)
    copied = found.index + found[0].length
  }
  return { said: said + text.slice(copied), pointedAt }
}
