import { CopyButton } from "@sightline/dashboard/kit/CopyButton.tsx"

/** The end of an id: ids of the same minute may all have the same beginning. */
export const shortId = (id: string): string => id.slice(-8)

/** An id, shown by its end. The tooltip shows all of it, and the button copies all of it. */
export const ShortId = ({ id }: { readonly id: string }) => (
  <span className="unbroken">
    <code title={id}>{shortId(id)}</code> <CopyButton text={id} of={`id ${shortId(id)}`} quiet />
  </span>
)
