import { Predicate } from "effect"

/** One change to a JSON document, in the terms of JSON Patch, with `append` for more text, elements or fields. */
export interface PatchOperation {
  readonly op: string
  /** A JSON pointer; empty for the whole document. */
  readonly path: string
  readonly value: unknown
}

/**
 * The longest pointer that is followed, and the longest list that elements are inserted into or removed from. Both are
 * above what any engine sends. So the cost of one change is bounded by them and the length of its value.
 */
const pathMaxLength = 512
const insertableMax = 1_000

type Fields = Record<PropertyKey, unknown>
type Container = Array<unknown> | Fields

const isContainer = (value: unknown): value is Container => Array.isArray(value) || Predicate.isObject(value)

const stepsOf = (path: string): ReadonlyArray<string> =>
  path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))

/** The position in a list that a step names: one of its elements, or its end. */
const placeIn = (list: ReadonlyArray<unknown>, step: string): number | undefined => {
  const place = step === "-" ? list.length : /^\d{1,9}$/.test(step) ? Number(step) : -1
  return place >= 0 && place <= list.length ? place : undefined
}

const childOf = (parent: Container, step: string): unknown => {
  if (!Array.isArray(parent)) return Object.hasOwn(parent, step) ? parent[step] : undefined
  const place = placeIn(parent, step)
  return place === undefined ? undefined : parent[place]
}

// Setting `__proto__` would replace the document's prototype instead of adding a field.
const setField = (parent: Fields, field: string, value: unknown): void => {
  if (field !== "__proto__") parent[field] = value
}

const grown = (current: unknown, more: unknown): unknown => {
  if (typeof current === "string" && typeof more === "string") return current + more
  if (Array.isArray(current)) {
    for (const element of Array.isArray(more) ? more : [more]) current.push(element)
    return current
  }
  if (!Predicate.isObject(current) || !Predicate.isObject(more)) return more
  for (const [field, value] of Object.entries(more)) setField(current, field, value)
  return current
}

const changeElement = (list: Array<unknown>, step: string, { op, value }: PatchOperation): void => {
  const place = placeIn(list, step)
  if (place === undefined) return
  const inside = place < list.length
  if (op === "append") list[place] = inside ? grown(list[place], value) : value
  else if (op === "replace" || (op === "add" && !inside)) list[place] = value
  else if (op === "add" && list.length < insertableMax) list.splice(place, 0, value)
  else if (op === "remove" && inside && list.length < insertableMax) list.splice(place, 1)
}

const changeField = (parent: Fields, step: string, { op, value }: PatchOperation): void => {
  if (op === "append") setField(parent, step, grown(childOf(parent, step), value))
  else if (op === "add" || op === "replace") setField(parent, step, value)
  else if (op === "remove") delete parent[step]
}

/**
 * The document after a change, which is made in place.
 *
 * Laws: never throws; a change that does not fit, or has an unknown operation, changes nothing.
 */
export const applyPatch = (document: unknown, change: PatchOperation): unknown => {
  if (change.path.length > pathMaxLength) return document
  const steps = stepsOf(change.path)
  const last = steps.at(-1)
  if (last === undefined) {
    if (change.op === "append") return grown(document, change.value)
    return change.op === "add" || change.op === "replace" ? change.value : document
  }
  let parent = document
  for (const step of steps.slice(0, -1)) parent = isContainer(parent) ? childOf(parent, step) : undefined
  if (Array.isArray(parent)) changeElement(parent, last, change)
  else if (Predicate.isObject(parent)) changeField(parent, last, change)
  return document
}
