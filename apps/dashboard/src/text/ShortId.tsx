import { CopyButton } from "@sightline/dashboard/kit/CopyButton.tsx"

/** The end of an id: ids of the same minute may all begin alike. */
export const shortId = (id: string): string => id.slice(-8)

/** An id by its end; the whole of it is copied, and shows under the pointer. */
export const ShortId = ({ id }: { readonly id: string }) => (
  <span className="unbroken">
    <code title={id}>{shortId(id)}</code> <CopyButton text={id} of={`id ${shortId(id)}`} quiet />
  </span>
)
