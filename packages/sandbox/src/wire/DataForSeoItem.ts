/** The name of a site, without its top-level domain. */
export const nameOf = (host: string): string => host.replace(/\.example$/, "")

/** Items with their positions, counted from one: in the list, and among the items of the same type. */
export const ranked = <Item extends { readonly type: string }>(items: ReadonlyArray<Item>) => {
  const seen = new Map<string, number>()
  return items.map((item, index) => {
    const rank_group = (seen.get(item.type) ?? 0) + 1
    seen.set(item.type, rank_group)
    return Object.assign(item, { rank_group, rank_absolute: index + 1 })
  })
}
