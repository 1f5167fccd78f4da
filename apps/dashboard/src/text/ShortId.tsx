/** The end of an id: ids of the same minute may all begin alike. */
export const shortId = (id: string): string => id.slice(-8)

/** An id by its end; the whole of it shows under the pointer. */
export const ShortId = ({ id }: { readonly id: string }) => <code title={id}>{shortId(id)}</code>
