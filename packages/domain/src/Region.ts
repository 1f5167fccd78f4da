import { Schema } from "effect"

/** The four regions of a check. Source: contract, `region`. */
export const Region = Schema.Literals(["us", "uk", "ca", "au"])
export type Region = typeof Region.Type

/** The ISO 3166-1 alpha-2 code upstreams expect for a region: the contract says `uk`, ISO says `GB`. */
export const countryOf = (region: Region): string => (region === "uk" ? "GB" : region.toUpperCase())
