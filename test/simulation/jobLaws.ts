import { jobTriesMax } from "@sightline/engine/Tuning"
import type { Law } from "./moneyLaws.ts"
import { brandOf, poison } from "./requests.ts"

/** A job, with the ids that its statements contain. */
interface Job {
  readonly ids: ReadonlyArray<string>
  readonly brand: string | undefined
  readonly status: string
  readonly tries: number
  readonly from: number
  readonly to: number
}

const endOf = (finished: Date | null): number => finished?.getTime() ?? Infinity

/** The name of a job in reports. */
const nameOf = ({ brand, ids: [id] }: Job): string => `the job for ${brand} (${id})`

/**
 * A job that kills its worker each time is given up in the end, and no other job is; nor is one that runs beside it, which does not lose
 * its last try to it. A job may also be given up if it was lost in other ways, and poison beside it accounts for the remaining tries. A
 * machine that is only asked to stop uses up no try, unless it refuses a question.
 */
export const givenUp: Law = ({ records, runs, watches }, { failed, house, losses, refusals, wishes }) => {
  const poisoned = new Set(wishes.flatMap(({ n, question }) => (question === poison ? [brandOf(n)] : [])))
  const beforeLast = (count: number) => Math.min(count, jobTriesMax - 1)
  const refusalsOf = ({ from, to }: Job) => refusals.filter((at) => at >= from && at <= to).length
  const isLost = (job: Job) => {
    const within = losses.filter(({ from, to }) => to >= job.from && from <= job.to)
    const besides = within.filter(({ isPoison }) => isPoison).length
    const unheard = failed.filter((words) => job.ids.some((id) => words.includes(id))).length
    const others = within.length - besides + unheard
    const rest = beforeLast(besides + refusalsOf(job))
    return poisoned.has(job.brand ?? "") || (others > 0 && others + rest >= jobTriesMax)
  }
  const jobs: ReadonlyArray<Job> = [
    ...records.map(({ brand, charge, finished, id, made, status, tries }) => {
      return { ids: [id, charge], brand, status, tries, from: made.getTime(), to: endOf(finished) }
    }),
    ...runs.map(({ finished, id, started, status, tries, watch }) => {
      const brand = watches.find((one) => one.id === watch)?.brand
      // The ids of its charges begin with the same characters.
      return { ids: [id.slice(0, 20)], brand, status, tries, from: started?.getTime() ?? 0, to: endOf(finished) }
    })
  ]
  const wrongsOf = (job: Job) => [
    { isSo: job.tries > jobTriesMax + 1, what: `was tried ${job.tries} times` },
    {
      isSo: job.status === "failed" && !(job.tries === jobTriesMax + 1 && isLost(job)),
      what: `was given up on its ${job.tries}. try`
    },
    {
      isSo: house === "leaving" && job.tries > 1 && refusalsOf(job) === 0,
      what: `was tried ${job.tries} times, and nobody was lost`
    }
  ]
  return jobs.flatMap((job) => wrongsOf(job).flatMap(({ isSo, what }) => (isSo ? [`${nameOf(job)} ${what}`] : [])))
}
