/** Planted and seen red: a blank description is used as the name. */
import { assert, it } from "vitest"
import { endpointName } from "@sightline/dashboard/webhooks/EndpointName"

it("an endpoint is named by its description, and by its address where the description is blank", () => {
  const url = "https://hooks.example.com/sightline"
  assert.deepStrictEqual(
    ["Billing", null, "", " \n"].map((description) => endpointName({ url, description })),
    ["Billing", url, url, url]
  )
})
