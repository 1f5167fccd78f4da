import { AnswerKey } from "@sightline/store/AnswerKey"
import { hash, randomUUID } from "node:crypto"

/** The key of an answer that is not cached. */
export const newKey = () => AnswerKey.make(hash("sha256", randomUUID()))
