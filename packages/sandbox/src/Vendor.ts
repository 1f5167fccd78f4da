import type { LiveSurface } from "@sightline/domain/Platform"
import type { Result } from "effect"
import type { Headers, HttpRouter } from "effect/http"
import type { Composition } from "./Composition.ts"
import type { CaptureVendor, Inquiry, VendorName } from "./Inquiry.ts"
import type { Scene } from "./live/Scene.ts"

/** An HTTP response: status, headers in addition to the common ones, and a body to be written as JSON. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Why a vendor refuses a request. Without a message, the vendor's usual message for the status is used. */
export interface Problem {
  readonly status: number
  readonly message?: string
  readonly param?: string
  readonly code?: string
  readonly retryAfterSeconds?: number
}

/** A request that the vendor accepts: what it asks, and how the vendor writes the answer. */
export interface AcceptedRequest {
  readonly inquiry: Inquiry
  readonly render: (composition: Composition) => unknown
}

/** One request as it arrived. */
export interface Call {
  readonly body: unknown
  readonly headers: Headers.Headers
  readonly params: Readonly<Record<string, string | undefined>>
}

/** One simulated vendor: its paths, the requests it accepts, and the form of its answers and errors. */
export interface Vendor {
  readonly name: VendorName
  /** The paths that accept questions, below the vendor's prefix. */
  readonly questionPaths: ReadonlyArray<HttpRouter.PathInput>
  /** The path of the model list, below the vendor's prefix, and its response. */
  readonly models: { readonly path: HttpRouter.PathInput; readonly keyless: boolean; readonly body: unknown }
  /** The caller's key, or undefined if the vendor's header is missing or empty. */
  readonly keyOf: (headers: Headers.Headers) => string | undefined
  readonly missingKey: Problem
  readonly malformedJson: Problem
  readonly unknownPath: (method: string, path: string) => Problem
  readonly read: (call: Call) => Result.Result<AcceptedRequest, Problem>
  readonly reject: (problem: Problem, requestId: string) => Reply
  /** Headers that the vendor puts on every answer. */
  readonly headers: (requestId: string) => Readonly<Record<string, string>>
}

/** One request to a capture vendor, as far as it could be read. */
export interface ReceivedRequest {
  readonly requestId: string
  /** The path below the vendor's prefix. */
  readonly path: string
  readonly body: unknown
}

/** The meaning of a request to a capture vendor. `country` is ISO 3166-1 alpha-2. */
export interface CaptureRequest {
  readonly question: string
  readonly country: string
}

/** One simulated vendor that captures live surfaces for others: its paths, the requests it accepts, and the form of its reports. */
export interface CaptureService<Surface extends LiveSurface> {
  readonly name: CaptureVendor
  /** The paths that accept questions, below the vendor's prefix, and the surface of each. */
  readonly surfaces: ReadonlyArray<readonly [path: HttpRouter.PathInput, surface: Surface]>
  /** The caller's key, or undefined if the vendor's header is missing or empty. */
  readonly keyOf: (headers: Headers.Headers) => string | undefined
  readonly missingKey: Problem
  readonly malformedJson: Problem
  readonly unknownPath: Problem
  readonly read: (surface: Surface, body: unknown) => Result.Result<CaptureRequest, Problem>
  /** The success or error with which the vendor reports what happened on the surface. */
  readonly report: (surface: Surface, scene: Scene, received: ReceivedRequest) => Reply
  readonly reject: (problem: Problem, received: ReceivedRequest) => Reply
}

/** The key in `Authorization: Bearer <key>`. */
export const bearerOf = (headers: Headers.Headers): string | undefined =>
  /^bearer\s+(\S+)\s*$/i.exec(headers["authorization"] ?? "")?.[1]
