import { Schema } from "effect"
import { Uuid } from "@sightline/domain/Uuid"

/** The id a path names; one that is no UUID is as unknown as any other. */
export const idIn = Schema.decodeUnknownOption(Uuid)
