import type { WebhookList } from "@sightline/contract/WebhookApi"

/** What an endpoint is called: its description, or its address where that says nothing. */
export const endpointName = ({
  description,
  url
}: Pick<WebhookList["webhooks"][number], "description" | "url">): string =>
  description === null || description.trim() === "" ? url : description
