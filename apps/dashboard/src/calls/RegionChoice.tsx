import { Choice } from "@sightline/dashboard/kit/Field.tsx"
import { Region } from "@sightline/domain/Region"

const regions = Region.literals.map((region) => [region, region.toUpperCase()] as const)

/** The choice of the region from which questions are asked. */
export const RegionChoice = () => <Choice name="region" label="Region" options={regions} />
