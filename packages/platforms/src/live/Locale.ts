/** The place that a live capture appears to come from: everything by which a site could judge a visitor's country, in agreement. */
export interface Locale {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string
  readonly googleHost: string
  /** Google's `gl`. */
  readonly gl: string
  readonly language: string
  /** BCP 47. */
  readonly locale: string
  /** IANA. */
  readonly timezoneId: string
  readonly latitude: number
  readonly longitude: number
  /** DataForSEO's `location_code`. */
  readonly locationCode: number
}

const us: Locale = {
  country: "US",
  googleHost: "www.google.com",
  gl: "us",
  language: "en",
  locale: "en-US",
  timezoneId: "America/New_York",
  latitude: 40.7128,
  longitude: -74.006,
  locationCode: 2840
}

const locales: ReadonlyMap<string, Locale> = new Map([
  ["US", us],
  [
    "GB",
    {
      country: "GB",
      googleHost: "www.google.co.uk",
      gl: "gb",
      language: "en",
      locale: "en-GB",
      timezoneId: "Europe/London",
      latitude: 51.5074,
      longitude: -0.1278,
      locationCode: 2826
    }
  ],
  [
    "CA",
    {
      country: "CA",
      googleHost: "www.google.ca",
      gl: "ca",
      language: "en",
      locale: "en-CA",
      timezoneId: "America/Toronto",
      latitude: 43.6532,
      longitude: -79.3832,
      locationCode: 2124
    }
  ],
  [
    "AU",
    {
      country: "AU",
      googleHost: "www.google.com.au",
      gl: "au",
      language: "en",
      locale: "en-AU",
      timezoneId: "Australia/Sydney",
      latitude: -33.8688,
      longitude: 151.2093,
      locationCode: 2036
    }
  ]
])

/** The locale of a country; that of the United States for no country or an unknown one. */
export const localeOf = (country: string | undefined): Locale => locales.get(country ?? "US") ?? us
