/** What can be chosen, in the order in which it is offered. */
export type Options = ReadonlyArray<readonly [value: string, text: string]>

/** The options and what is chosen, which stays an option although they lack it, or do not have it yet. */
export const withChosen = (options: Options, chosen: string | undefined): Options =>
  chosen === undefined || options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]]
