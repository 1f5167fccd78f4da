import { type Options, withChosen } from "@sightline/dashboard/kit/Options"
import { MissingDataNote } from "@sightline/dashboard/kit/States.tsx"
import { useWatchOptions } from "@sightline/dashboard/watches/WatchChoice"
import { useId } from "react"
import { useSearchParams } from "wouter"
import { type DeliveryFilter, deliveryStates } from "./Deliveries.ts"
import { DeliveryTable } from "./DeliveryTable.tsx"
import { endpointName } from "./EndpointName.ts"
import { useEndpoints } from "./Webhooks.ts"

const names = ["status", "webhook_id", "watch_id"] as const

interface FilterProps {
  readonly label: string
  readonly value: string | undefined
  readonly options: Options
  readonly onChoose: (value: string) => void
}

const Filter = ({ label, value, options, onChoose }: FilterProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value ?? ""} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">All</option>
        {withChosen(options, value).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

const filterOf = (chosen: URLSearchParams): DeliveryFilter => {
  const text = (name: (typeof names)[number]) => chosen.get(name) || undefined
  const status = deliveryStates.find((one) => one === text("status"))
  const [webhook, watch] = [text("webhook_id"), text("watch_id")]
  return {
    ...(status !== undefined && { status }),
    ...(webhook !== undefined && { webhook_id: webhook }),
    ...(watch !== undefined && { watch_id: watch })
  }
}

/** All deliveries, filtered by status, endpoint and watch; the filter is in the page's address. */
export const DeliveryLog = () => {
  const [chosen, setChosen] = useSearchParams()
  const endpoints = useEndpoints().data ?? []
  const watches = useWatchOptions()
  const options: Readonly<Record<(typeof names)[number], Options>> = {
    status: deliveryStates.map((one) => [one, one]),
    webhook_id: endpoints.map((endpoint) => [endpoint.id, endpointName(endpoint)]),
    watch_id: watches.data ?? []
  }
  const filter = filterOf(chosen)
  const labels = { status: "Status", webhook_id: "Endpoint", watch_id: "Watch" } as const
  const choose = (name: string, value: string) =>
    setChosen(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === "") after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true }
    )
  return (
    <>
      <div className="fields">
        {names.map((name) => (
          <Filter
            key={name}
            label={labels[name]}
            value={filter[name]}
            options={options[name]}
            onChoose={(value) => choose(name, value)}
          />
        ))}
      </div>
      <MissingDataNote what="The watches" query={watches} />
      <DeliveryTable filter={filter} />
    </>
  )
}
