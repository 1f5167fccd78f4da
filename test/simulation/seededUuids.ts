import { syncBuiltinESMExports } from "node:module"
import type { Dice } from "./dice.ts"

const crypto = process.getBuiltinModule("node:crypto")
const real = crypto.randomUUID.bind(crypto)
const realInOrder = crypto.randomUUIDv7.bind(crypto)
let source: Dice | undefined

const hex = (dice: Dice, digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(dice() * 16).toString(16)).join("")

/** A UUID of version 4 made by dice. */
export const uuidOf = (dice: Dice) =>
  `${hex(dice, 8)}-${hex(dice, 4)}-4${hex(dice, 3)}-8${hex(dice, 3)}-${hex(dice, 12)}` as const

const randomUUID: typeof real = (options) => (source === undefined ? real(options) : uuidOf(source))

const randomUUIDv7: typeof realInOrder = (options) => (source === undefined ? realInOrder(options) : uuidOf(source))

// All code gets its ids from Node, in either version, and in version 4 by either of two names.
crypto.randomUUID = randomUUID
crypto.randomUUIDv7 = randomUUIDv7
Object.defineProperty(globalThis.crypto, "randomUUID", { value: randomUUID, configurable: true, writable: true })
syncBuiltinESMExports()

/** From now on ids are made by the dice, until the returned function is called. */
export const seedUuids = (dice: Dice): (() => void) => {
  source = dice
  return () => {
    source = undefined
  }
}
