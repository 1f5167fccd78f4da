import { momentText, nothing, utcText } from "./Format.ts"

/** A point in time in the reader's time zone, with UTC as the tooltip. */
export const When = ({ at }: { readonly at: string | null | undefined }) =>
  at === null || at === undefined ? (
    <>{nothing}</>
  ) : (
    <time dateTime={at} title={utcText(at)}>
      {momentText(at)}
    </time>
  )
