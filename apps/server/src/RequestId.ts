import { Context } from "effect"

/** The id of the request being answered: in every JSON body, in every log line about it. */
export const RequestId = Context.Reference<string>("@sightline/server/RequestId", { defaultValue: () => "" })
