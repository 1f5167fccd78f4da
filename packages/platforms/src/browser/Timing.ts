import type { Duration } from "effect"
import type { Environment } from "@sightline/domain/Platform"

/** The intervals and limits of a capture. */
export interface Timing {
  /** The time between two snapshots of the page. */
  readonly poll: Duration.Input
  /** An answer that has not changed for twice this long counts as complete. Also the pause after something was expanded. */
  readonly steady: Duration.Input
  /**
   * How long a page must be idle without an answer for it to count as absent; and the longer time that an answer must be
   * the same while its stream is under way.
   */
  readonly absence: Duration.Input
  readonly navigation: Duration.Input
  readonly answer: Duration.Input
  /** The limit for the whole capture, from lease to parse. */
  readonly whole: Duration.Input
}

/** The timing of each environment. The sandbox's pages come from this machine, so their absence shows sooner. */
export const timings: Readonly<Record<Environment, Timing>> = {
  live: {
    poll: "100 millis",
    steady: "500 millis",
    absence: "6 seconds",
    navigation: "25 seconds",
    answer: "50 seconds",
    whole: "90 seconds"
  },
  test: {
    poll: "100 millis",
    steady: "150 millis",
    absence: "2 seconds",
    navigation: "25 seconds",
    answer: "50 seconds",
    whole: "90 seconds"
  }
}
