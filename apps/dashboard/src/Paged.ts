import type { Client } from "@sightline/contract/Client"
import { useInfiniteQuery } from "@tanstack/react-query"
import type { Effect } from "effect"
import { pollMillis, run } from "./Query.ts"

interface Listed {
  readonly next_cursor: string | null
}

/** The parameters of a list besides its filters. */
interface Asked {
  readonly cursor?: string
  readonly limit?: string
}

/** Further pages have the largest size that every list allows. The first page is smaller, so that it appears sooner. */
const further = { limit: "100" }

/** Maximum number of rows in an export of a paginated list: a key's rate limit is enough for their pages. */
export const exportMax = 10_000

/** How long a list of one page is fresh. */
const freshMillis = 15_000

/**
 * A paginated list of the API, as the props of a table: `<DataTable {...usePaged(…)} />`.
 *
 * Shape: `key` identifies the list with its filters; `rowsOf` returns a page's rows; while `isOpen` is true of any row, the
 * list is polled, the less often the longer it is.
 */
export const usePaged = <Page extends Listed, Row, E>(
  key: ReadonlyArray<unknown>,
  call: (api: Client, asked: Asked) => Effect.Effect<Page, E>,
  rowsOf: (page: Page) => ReadonlyArray<Row>,
  isOpen: (row: Row) => boolean = () => false
) => {
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => run((api) => call(api, pageParam === null ? {} : { ...further, cursor: pageParam })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // A list is read again with all its pages, since each begins where the previous one ends. So the intervals grow with the number of
    // pages: a long list must not take more of the key's rate limit than a short one, neither by polling nor when it is shown again.
    staleTime: ({ state: { data: { pages } = { pages: [] } } }) => freshMillis * pages.length,
    refetchInterval: ({ state: { data: { pages } = { pages: [] } } }) => {
      const millis = pages.some((page) => rowsOf(page).some(isOpen)) && pollMillis()
      return millis && millis * pages.length
    }
  })
  const more = () => {
    if (!list.isFetchingNextPage) void list.fetchNextPage()
  }
  const rows = list.data?.pages.flatMap((page) => [...rowsOf(page)])
  const all = async () => {
    const found = [...(rows ?? [])]
    let cursor = list.data?.pages.at(-1)?.next_cursor ?? null
    while (cursor !== null && found.length < exportMax) {
      const asked = { ...further, cursor }
      const page = await run((api) => call(api, asked))
      found.push(...rowsOf(page))
      cursor = page.next_cursor
    }
    return found.slice(0, exportMax)
  }
  return {
    rows,
    all: list.hasNextPage ? all : undefined,
    failure: list.error,
    onRetry: list.isFetchNextPageError ? more : () => void list.refetch(),
    onMore: list.hasNextPage ? more : undefined,
    loadingMore: list.isFetchingNextPage
  }
}
