/**
 * Everything by which a site could judge a visitor's country agrees.
 *
 * Planted and seen red: the time zone of Canada's other coast; another country's Google or DataForSEO location; the other hemisphere.
 */
import { countryOf, Region } from "@sightline/domain/Region"
import { localeOf } from "@sightline/platforms/live/Locale"
import { assert, it } from "vitest"

/** How many hours a time zone is ahead of Greenwich in the winter of its hemisphere. */
const hoursAhead = (timeZone: string): number => {
  const ahead = ["2026-01-15T00:00Z", "2026-07-15T00:00Z"].map((moment) => {
    const there = new Date(moment).toLocaleString("en-US", { timeZone, timeZoneName: "longOffset" })
    return Number(/GMT(?:([+-]\d+):00)?$/.exec(there)?.[1] ?? 0)
  })
  return Math.min(...ahead)
}

// Source: ISO 3166-1, the numbers of countries, which DataForSEO counts from 2000.
const numbers = { us: 840, uk: 826, ca: 124, au: 36 }
const sites = { us: "www.google.com", uk: "www.google.co.uk", ca: "www.google.ca", au: "www.google.com.au" }

it.each(Region.literals)("%s has one location, by coordinates, time zone, language and sites", (region) => {
  const country = countryOf(region)
  const found = localeOf(country)
  assert.strictEqual(found.country, country)
  assert.strictEqual(found.gl, country.toLowerCase())
  assert.strictEqual(found.locale, `${found.language}-${country}`)
  assert.strictEqual(found.googleHost, sites[region])
  assert.strictEqual(found.locationCode, 2000 + numbers[region])
  assert.approximately(hoursAhead(found.timezoneId), found.longitude / 15, 0.5)
  assert.strictEqual(found.latitude < 0, region === "au")
})
