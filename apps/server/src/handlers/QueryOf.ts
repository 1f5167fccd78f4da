/** The decoded query of an endpoint, by the fields of its contract. Every field is optional. */
export type QueryOf<Fields extends Readonly<Record<string, { readonly Type: unknown }>>> = {
  readonly [Name in keyof Fields]?: Fields[Name]["Type"]
}
