import { useWatches } from "@sightline/dashboard/watches/Watches"
import { useId } from "react"
import { useSearchParams } from "wouter"
import { type DeliveryFilter, deliveryStates } from "./Deliveries.ts"
import { DeliveryTable } from "./DeliveryTable.tsx"
import { endpointName } from "./EndpointName.ts"
import { useEndpoints } from "./Webhooks.ts"

type Options = ReadonlyArray<readonly [value: string, text: string]>

const names = ["status", "webhook_id", "watch_id"] as const

interface FilterProps {
  readonly label: string
  readonly value: string
  readonly options: Options
  readonly onChoose: (value: string) => void
}

// What the address names stays chosen although the lists do not have it, or not yet.
const withValue = (options: Options, value: string): Options =>
  value === "" || options.some(([one]) => one === value) ? options : [...options, [value, value]]

const Filter = ({ label, value, options, onChoose }: FilterProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">All</option>
        {withValue(options, value).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

const filterOf = (chosen: URLSearchParams): DeliveryFilter => {
  const text = (name: (typeof names)[number]) => chosen.get(name) ?? undefined
  const status = deliveryStates.find((one) => one === text("status"))
  const [webhook, watch] = [text("webhook_id"), text("watch_id")]
  return {
    ...(status !== undefined && { status }),
    ...(webhook !== undefined && { webhook_id: webhook }),
    ...(watch !== undefined && { watch_id: watch })
  }
}

/** Every delivery, by status, endpoint and watch; the choice is in the page's address. */
export const DeliveryLog = () => {
  const [chosen, setChosen] = useSearchParams()
  const endpoints = useEndpoints().data ?? []
  const watches = useWatches().rows ?? []
  const options: Readonly<Record<(typeof names)[number], Options>> = {
    status: deliveryStates.map((one) => [one, one]),
    webhook_id: endpoints.map((endpoint) => [endpoint.id, endpointName(endpoint)]),
    watch_id: watches.map(({ id, query, brand }) => [id, `${query} × ${brand}`])
  }
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
            value={chosen.get(name) ?? ""}
            options={options[name]}
            onChoose={(value) => choose(name, value)}
          />
        ))}
      </div>
      <DeliveryTable filter={filterOf(chosen)} />
    </>
  )
}
