import { Option, Schema } from "effect"
import type { BrandEntity } from "@sightline/domain/Answer"
import { excerpt } from "@sightline/platforms/Bounds"
import { mayBeBrand } from "@sightline/platforms/BrandType"
import { withoutTrailingBlanks } from "@sightline/platforms/MatchText"

/** The text of an answer without its widgets, and the brands that were marked up in it. */
export interface ResolvedText {
  readonly said: string
  readonly entities: ReadonlyArray<BrandEntity>
}

const entitiesMax = 100

// U+E200 opens a token, U+E202 separates its parts, U+E201 closes it: `entity`, `cite`, `navlist`, `products`, …
const token = /\uE200([^\uE200\uE201]*)\uE201/g
const tokenSign = /[\uE200-\uE202]/g
const entityLead = "entity\uE202"

const decodeEntity = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.Unknown)))

/** The parts of an entity token: type, name and, if there is one, a description. */
const entityIn = (inside: string): { readonly brand: boolean; readonly entity: BrandEntity } | undefined => {
  if (!inside.startsWith(entityLead)) return undefined
  const [type, name, description] = Option.getOrElse(decodeEntity(inside.slice(entityLead.length)), () => [])
  if (typeof name !== "string" || name.trim() === "") return undefined
  const described = typeof description === "string" && description !== ""
  return {
    brand: mayBeBrand(type),
    entity: { name: excerpt(name), ...(described && { description: excerpt(description) }) }
  }
}

/**
 * Reads the tokens in an answer: an entity is replaced by its name, any other token is removed with the blanks before it.
 *
 * Laws: linear in the input; no character of a token's frame remains; entities are unique by name, in order, at most 100.
 */
export const resolveTokens = (delivered: string): ResolvedText => {
  const entities = new Map<string, BrandEntity>()
  let said = ""
  let copied = 0
  for (const found of delivered.matchAll(token)) {
    const named = entityIn(found[1] ?? "")
    if (named === undefined) said += withoutTrailingBlanks(delivered, copied, found.index)
    else said += delivered.slice(copied, found.index) + named.entity.name
    copied = found.index + found[0].length
    if (named?.brand === true && entities.size < entitiesMax && !entities.has(named.entity.name)) {
      entities.set(named.entity.name, named.entity)
    }
  }
  said += delivered.slice(copied)
  return { said: said.replace(tokenSign, ""), entities: Array.from(entities.values()) }
}
