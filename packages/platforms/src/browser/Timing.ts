import type { Duration } from "effect"
import type { Environment } from "@sightline/domain/Platform"

/** How long a capture looks, waits and may take. */
export interface Timing {
  /** Between two looks at the page. */
  readonly look: Duration.Input
  /** Between the three looks at which the answer must be the same to count as complete. */
  readonly steady: Duration.Input
  /** How long results must have been there without a container to say that there is no answer. */
  readonly absence: Duration.Input
  readonly navigation: Duration.Input
  readonly answer: Duration.Input
  /** Over everything from lease to parse. */
  readonly whole: Duration.Input
}

/** The timing of each environment. The sandbox's pages are a loopback away, so that their absence shows sooner. */
export const timings: Readonly<Record<Environment, Timing>> = {
  live: {
    look: "100 millis",
    steady: "500 millis",
    absence: "6 seconds",
    navigation: "25 seconds",
    answer: "50 seconds",
    whole: "90 seconds"
  },
  test: {
    look: "100 millis",
    steady: "150 millis",
    absence: "2 seconds",
    navigation: "25 seconds",
    answer: "50 seconds",
    whole: "90 seconds"
  }
}
