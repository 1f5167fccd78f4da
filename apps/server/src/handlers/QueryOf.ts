/** The query of an endpoint as it was decoded, by the fields that the contract gives it: any of them may be left out. */
export type QueryOf<Fields extends Readonly<Record<string, { readonly Type: unknown }>>> = {
  readonly [Name in keyof Fields]?: Fields[Name]["Type"]
}
