import type { WaitLimits } from "@sightline/actor/Mailbox"
import type { Duration } from "effect"

/** Bytes of answers a process keeps in memory. Bound: the process's heap; an answer is 1–256 KiB. */
export const answerMemoryBytes = 64 * 1024 * 1024

/** How long an answer stays in memory. Source: decisions C3, at most 60 s. */
export const answerMemoryTtl: Duration.Input = "55 seconds"

/** How long a process may be silent before another takes over the question it is asking. */
export const flightLease: Duration.Input = "10 seconds"

/** How often that lease is renewed: three times within it. */
export const flightRenewal: Duration.Input = "3 seconds"

/** How often a follower polls for the answer, in case its announcement was lost. */
export const flightPoll: Duration.Input = "1 second"

/**
 * How long a side write, such as one to the cache, may take before the call goes on without it. Bound: far below the 15 s
 * of a statement.
 */
export const bookkeepingGrace: Duration.Input = "3 seconds"

/** Time limit of a platform for `quick` or ask. Source: decisions C0. */
export const providerDeadline: Duration.Input = "60 seconds"

/** How long a caller waits for a platform: longer than its deadline, so that the platform's own failure arrives first. */
export const providerGrace: Duration.Input = "62 seconds"

/** Requests one platform actor works on at a time, in one worker process. Bound: the vendor's own concurrency limit. */
export const platformConcurrency = 64

/** Requests that may wait for one platform actor. A request beyond it is refused at once instead of timing out later. */
export const platformMailbox = 512

/** Time limit of a live surface, from lease to parsed answer. Source: contract, "live upstream ceiling". */
export const liveCeiling: Duration.Input = "90 seconds"

/** How long a caller waits for a live surface: longer than its ceiling. Bound: far below the 150 s of a hold. */
export const liveGrace: Duration.Input = "92 seconds"

/**
 * How long a question may wait for a platform. The wait counts towards its time limit. Bound: of the 60 s, half is left
 * after the longest wait in a burst, and nearly all while a platform cannot keep up.
 */
export const captureWaitLimits: WaitLimits = { burst: "30 seconds", standing: "5 seconds" }

/** How long a live surface is not asked again from the same country after a rate limit. Source: decisions C7. */
export const liveCooldown: Duration.Input = "30 seconds"

/** Questions one live surface works on at a time, in one worker. Bound: vendors take 30 at once; browsers bound themselves. */
export const liveConcurrency = 24

/** Questions that may wait for one live surface. */
export const liveMailbox = 24

/** Queued asks one worker process works on at a time. Bound: its platform actors take 64 questions each. */
export const askConcurrency = 16

/** How often the lease of a job is renewed: three times within its 30 s. */
export const jobRenewal: Duration.Input = "10 seconds"

/** How often the scheduler looks for due watches. Bound: the 5 minutes of a slot. */
export const tickInterval: Duration.Input = "5 seconds"

/** Due watches claimed in one statement. */
export const claimMax = 1000

/** Claims that one pass of the scheduler makes at a time: while one is announced, the other runs in the database. */
export const claimers = 2

/** Runs of watches one worker process works on at a time. Bound: its platform actors. */
export const runConcurrency = 16

/** How often a job is tried before it is abandoned, because it may be the job that kills its workers. */
export const jobTriesMax = 5

/** The pause between two steps of a warm-up, so that calls are handled in between. */
export const warmUpPause: Duration.Input = "20 millis"

/** How often the canary checks the surfaces for answers and adverts that they stopped showing. */
export const canaryInterval: Duration.Input = "10 minutes"

/** How often the sweeper looks for what is lost or too old. */
export const sweepInterval: Duration.Input = "5 seconds"

/**
 * How often the sweeper looks for what no index finds: times in the future that a fast clock has written, flights without a leader, and
 * full rate limits. Bound: each search reads whole tables, or all waiting watches, jobs and deliveries.
 */
export const scanInterval: Duration.Input = "1 minute"

/** How long running calls may take once the process is asked to end. Calls that are still running then are voided. */
export const shutdownGrace: Duration.Input = "25 seconds"

/** Time limit of one delivery attempt, from the look-up of its host to the head of the answer. Source: contract, "Limits". */
export const deliveryDeadline: Duration.Input = "10 seconds"

/** Open delivery attempts of one process. The store has its own limits for each receiver and each account. */
export const deliverySlots = 500

/** How often the sender looks for deliveries that were not announced: retries, and those whose announcement was lost. */
export const deliveryPoll: Duration.Input = "1 second"

/** Delivery attempts started together. Few enough that fast receivers finish them before the next step, with few open connections. */
export const deliveriesPerStep = 100
