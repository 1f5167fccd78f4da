import type { LiveSurface } from "@sightline/domain/Platform"
import type { Result } from "effect"
import type { Headers, HttpRouter } from "effect/http"
import type { Composition } from "./Composition.ts"
import type { CaptureVendor, Inquiry, VendorName } from "./Inquiry.ts"
import type { Scene } from "./live/Scene.ts"

/** An HTTP answer: status, headers beyond the common ones, and a body to be written as JSON. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Why a vendor refuses a request; without a message it says what the vendor says for that status. */
export interface Problem {
  readonly status: number
  readonly message?: string
  readonly param?: string
  readonly code?: string
  readonly retryAfterSeconds?: number
}

/** A request that the vendor accepts: what it asks, and how its vendor writes the answer down. */
export interface Reading {
  readonly inquiry: Inquiry
  readonly render: (composition: Composition) => unknown
}

/** One request as it arrived. */
export interface Call {
  readonly body: unknown
  readonly headers: Headers.Headers
  readonly params: Readonly<Record<string, string | undefined>>
}

/** One simulated vendor: where it listens, which requests it takes and how it words answers and errors. */
export interface Vendor {
  readonly name: VendorName
  /** Paths that take questions, below the vendor's prefix. */
  readonly questionPaths: ReadonlyArray<HttpRouter.PathInput>
  /** Path of the model list, below the vendor's prefix, and what it answers. */
  readonly models: { readonly path: HttpRouter.PathInput; readonly keyless: boolean; readonly body: unknown }
  /** The caller's key, or nothing when the vendor's header is missing or empty. */
  readonly keyOf: (headers: Headers.Headers) => string | undefined
  readonly missingKey: Problem
  readonly malformedJson: Problem
  readonly unknownPath: (method: string, path: string) => Problem
  readonly read: (call: Call) => Result.Result<Reading, Problem>
  readonly reject: (problem: Problem, requestId: string) => Reply
  /** Headers that the vendor puts on every answer. */
  readonly headers: (requestId: string) => Readonly<Record<string, string>>
}

/** One request to a vendor of captures, as far as it could be read. */
export interface Received {
  readonly requestId: string
  /** Below the vendor's prefix. */
  readonly path: string
  readonly body: unknown
}

/** What a request to a vendor of captures comes down to. `country` is ISO 3166-1 alpha-2. */
export interface Wanted {
  readonly question: string
  readonly country: string
}

/** One simulated vendor that looks at live surfaces for others: where it listens, what it takes and how it words its findings. */
export interface CaptureService<Surface extends LiveSurface> {
  readonly name: CaptureVendor
  /** Paths that take questions, below the vendor's prefix, and the surface behind each. */
  readonly surfaces: ReadonlyArray<readonly [path: HttpRouter.PathInput, surface: Surface]>
  /** The caller's key, or nothing when the vendor's header is missing or empty. */
  readonly keyOf: (headers: Headers.Headers) => string | undefined
  readonly missingKey: Problem
  readonly malformedJson: Problem
  readonly unknownPath: Problem
  readonly read: (surface: Surface, body: unknown) => Result.Result<Wanted, Problem>
  /** The success or error by which the vendor reports what happened on the surface. */
  readonly report: (surface: Surface, scene: Scene, received: Received) => Reply
  readonly reject: (problem: Problem, received: Received) => Reply
}

/** The key in `Authorization: Bearer <key>`. */
export const bearerOf = (headers: Headers.Headers): string | undefined =>
  /^bearer\s+(\S+)\s*$/i.exec(headers["authorization"] ?? "")?.[1]
