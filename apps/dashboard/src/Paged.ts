import type { Client } from "@sightline/contract/Client"
import { useInfiniteQuery } from "@tanstack/react-query"
import type { Effect } from "effect"
import { pollMillis, run } from "./Query.ts"

interface Listed {
  readonly next_cursor: string | null
}

/** What a list is asked for, beside its filters. */
interface Asked {
  readonly cursor?: string
  readonly limit?: string
}

/** Whoever goes on is given as many at a time as every list has; what is seen first is there sooner with fewer. */
const further = { limit: "100" }

/** How many rows of a list that goes on a file has at most: a key's calls are enough for their pages. */
export const exportMax = 10_000

/** How long a list of one page is fresh. */
const freshMillis = 15_000

/**
 * A list of the API that comes page by page, as a table takes it: `<DataTable {...usePaged(…)} />`.
 *
 * Shape: `key` names the list with its filters; `rowsOf` takes a page's rows; while `isOpen` says of one of them that it is
 * not over, the list is read again and again, the longer it is the more seldom.
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
    // A list is read with all its pages, since each begins where the one before ends. One of many pages may take the key's calls
    // for itself no more than one of a single page, whether something of it is open or somebody comes back to it.
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
