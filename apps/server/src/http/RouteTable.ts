import { HttpApi, type HttpApiGroup } from "effect/http-api"

/**
 * How the router compares paths: exactly as written, so that proxies which filter by path see the same paths. An overlong id
 * is answered like an unknown one.
 */
export const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: Infinity
}

const rawPathOf = (url: string): string => url.split("?", 1)[0] ?? url

const decoded = (path: string): string | undefined => {
  try {
    return decodeURI(path)
  } catch {
    return undefined
  }
}

/** The path of a request as the router reads it: without the query, and decoded if possible. */
export const pathOf = (url: string): string => {
  const path = rawPathOf(url)
  return decoded(path) ?? path
}

/**
 * A URL that the router reads as proxies do: the router would also end the path at a `;` or `#`, a proxy only at a `?`. A
 * path that cannot be decoded is taken literally, so its ids are unknown ids.
 */
export const readable = (url: string): string => {
  const path = rawPathOf(url)
  const decodable = decoded(path) === undefined ? path.replaceAll("%", "%25") : path
  return decodable.replaceAll(";", "%3B").replaceAll("#", "%23") + url.slice(path.length)
}

/** The routes of a listener, for its 404 and 405 answers and for the names of routes in metrics. */
export interface RouteTable {
  /** The methods of a path. GET implies HEAD, which is answered like GET. Empty: there is no such path. */
  readonly methods: (url: string) => ReadonlyArray<string>
  /**
   * The route of a request as in the description of the API, such as `GET /v1/watch/{id}`; `other` if there is none. A HEAD request has
   * the route of its GET.
   */
  readonly nameOf: (method: string, url: string) => string
}

/** The route table of an API, and of further paths that only take GET. */
export const routeTable = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  pages: ReadonlyArray<string>
): RouteTable => {
  const known = pages.map((page) => ({ pattern: new RegExp(`^${page}$`), method: "GET", path: page }))
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const pattern = new RegExp(`^${endpoint.path.replaceAll(/:[a-z_]+/gi, "[^/]*")}$`)
      known.push({ pattern, method: endpoint.method, path: endpoint.path.replaceAll(/:([a-z_]+)/gi, "{$1}") })
    }
  })
  // Most calls are to paths without an id, which are found without trying patterns.
  const named = new Map(known.map(({ method, path }) => [`${method} ${path}`, `${method} ${path}`]))
  return {
    methods: (url) => {
      const path = pathOf(url)
      return known
        .filter(({ pattern }) => pattern.test(path))
        .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    },
    nameOf: (method, url) => {
      const name = named.get(`${method} ${url}`)
      if (name !== undefined) return name
      const path = pathOf(url)
      const answering = method === "HEAD" ? "GET" : method
      const found = known.find((route) => route.method === answering && route.pattern.test(path))
      return found === undefined ? "other" : `${found.method} ${found.path}`
    }
  }
}
