import { HttpApi, type HttpApiGroup } from "effect/http-api"

/** The routes of a listener, as its answers to what has no route and its metrics name them. */
export interface RouteTable {
  /** The methods that a path has: with GET always HEAD, which is answered as it is. */
  readonly methods: (path: string) => ReadonlyArray<string>
  /** The route of a request as the description of the API has it, such as `GET /v1/watch/{id}`; `other` for what is in no API. */
  readonly nameOf: (method: string, path: string) => string
}

/** The table of an API, and of those pages beside it that can only be read. */
export const routeTable = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  pages: ReadonlyArray<string>
): RouteTable => {
  const known = pages.map((page) => ({ pattern: new RegExp(`^${page}/?$`), method: "GET", path: page }))
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const pattern = new RegExp(`^${endpoint.path.replaceAll(/:[a-z_]+/gi, "[^/]+")}/?$`)
      known.push({ pattern, method: endpoint.method, path: endpoint.path.replaceAll(/:([a-z_]+)/gi, "{$1}") })
    }
  })
  // Most calls are to paths without an id, which need no pattern to be tried.
  const named = new Map(known.map(({ method, path }) => [`${method} ${path}`, `${method} ${path}`]))
  return {
    methods: (path) =>
      known
        .filter(({ pattern }) => pattern.test(path))
        .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])),
    nameOf: (method, path) => {
      const name = named.get(`${method} ${path}`)
      if (name !== undefined) return name
      const found = known.find((route) => route.method === method && route.pattern.test(path))
      return found === undefined ? "other" : `${found.method} ${found.path}`
    }
  }
}
