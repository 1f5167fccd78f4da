import { syncBuiltinESMExports } from "node:module"
import type { Dice } from "./dice.ts"

const crypto = process.getBuiltinModule("node:crypto")
const real = crypto.randomUUID.bind(crypto)
let source: Dice | undefined

const hex = (dice: Dice, digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(dice() * 16).toString(16)).join("")

/** A UUID of version 4 that dice make. */
export const uuidOf = (dice: Dice) =>
  `${hex(dice, 8)}-${hex(dice, 4)}-4${hex(dice, 3)}-8${hex(dice, 3)}-${hex(dice, 12)}` as const

const randomUUID: typeof real = (options) => (source === undefined ? real(options) : uuidOf(source))

// Whoever asks for an id asks Node itself, by either of two names.
crypto.randomUUID = randomUUID
Object.defineProperty(globalThis.crypto, "randomUUID", { value: randomUUID, configurable: true, writable: true })
syncBuiltinESMExports()

/** From now on ids are made by the dice. The function it gives ends that. */
export const takeOver = (dice: Dice): (() => void) => {
  source = dice
  return () => {
    source = undefined
  }
}
