import { hash32 } from "@sightline/domain/Hash"

/** Random numbers from 0 to 1. */
export type Dice = () => number

/** Dice with the same sequence in every run of one seed. */
export const makeDice = (seed: string): Dice => {
  let thrown = 0
  return () => hash32(`${seed} ${thrown++}`) / 2 ** 32
}
