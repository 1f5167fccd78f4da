import { syncBuiltinESMExports } from "node:module"

/** Numbers from 0 to 1. */
export type Dice = () => number

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

/** Dice that throw the same in every run of one seed (mulberry32). */
export const makeDice = (seed: number): Dice => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
