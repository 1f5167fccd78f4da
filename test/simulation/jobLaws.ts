import { jobTriesMax } from "@sightline/engine/Tuning"
import type { Law } from "./moneyLaws.ts"
import { brandOf, poison } from "./requests.ts"

/** A job, by the ids that its statements name. */
interface Job {
  readonly ids: ReadonlyArray<string>
  readonly brand: string | undefined
  readonly status: string
  readonly tries: number
  readonly from: Date | null
  readonly to: Date | null
}

/** What an ask or a run is called where it is told what is wrong with it. */
const nameOf = ({ brand, ids: [id] }: Job): string => `the job for ${brand} (${id})`

/**
 * What kills its worker each time is given up in the end, and nothing before; nor what is worked on beside it, which loses no
 * last try to it. What was lost in other ways so often that poison beside it makes up for the rest may be given up, too.
 */
export const givenUp: Law = ({ records, runs, watches }, { failed, house, losses, wishes }) => {
  const poisoned = new Set(wishes.flatMap(({ n, question }) => (question === poison ? [brandOf(n)] : [])))
  const isLost = ({ brand, from, ids, to }: Job) => {
    const within = losses.filter((loss) => loss.to >= Number(from) && loss.from <= Number(to))
    const besides = within.filter(({ isPoison }) => isPoison).length
    const unheard = failed.filter((words) => ids.some((id) => words.includes(id))).length
    const others = within.length - besides + unheard
    return poisoned.has(brand ?? "") || (others > 0 && others + Math.min(besides, jobTriesMax - 1) >= jobTriesMax)
  }
  const jobs: ReadonlyArray<Job> = [
    ...records.map(({ brand, charge, finished, id, made, status, tries }) => {
      return { ids: [id, charge], brand, status, tries, from: made, to: finished }
    }),
    ...runs.map(({ finished, id, started, status, tries, watch }) => {
      const brand = watches.find((one) => one.id === watch)?.brand
      // The charges of its attempts begin like it.
      return { ids: [id.slice(0, 20)], brand, status, tries, from: started, to: finished }
    })
  ]
  const wrongsOf = (job: Job) => [
    { isSo: job.tries > jobTriesMax + 1, what: `was tried ${job.tries} times` },
    {
      isSo: job.status === "failed" && !(job.tries === jobTriesMax + 1 && isLost(job)),
      what: `was given up on its ${job.tries}. try`
    },
    { isSo: house === "leaving" && job.tries > 1, what: `was tried ${job.tries} times, and nobody was lost` }
  ]
  return jobs.flatMap((job) => wrongsOf(job).flatMap(({ isSo, what }) => (isSo ? [`${nameOf(job)} ${what}`] : [])))
}
