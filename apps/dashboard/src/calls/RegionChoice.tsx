import { Choice } from "@sightline/dashboard/kit/Field.tsx"
import { Region } from "@sightline/domain/Region"

const regions = Region.literals.map((region) => [region, region.toUpperCase()] as const)

/** Where questions are asked from. */
export const RegionChoice = () => <Choice name="region" label="Region" options={regions} />
