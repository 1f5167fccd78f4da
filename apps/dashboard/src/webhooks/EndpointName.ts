import type { WebhookList } from "@sightline/contract/WebhookApi"

/** The name of an endpoint: its description, or its URL if that is blank. */
export const endpointName = ({
  description,
  url
}: Pick<WebhookList["webhooks"][number], "description" | "url">): string =>
  description === null || description.trim() === "" ? url : description
