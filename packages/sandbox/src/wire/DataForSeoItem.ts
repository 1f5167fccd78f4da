/** The name of a site, without its ending. */
export const nameOf = (host: string): string => host.replace(/\.example$/, "")

/** The place of an item in its list, counted from one. */
export const ranks = (index: number) => ({ rank_group: index + 1, rank_absolute: index + 1 })
