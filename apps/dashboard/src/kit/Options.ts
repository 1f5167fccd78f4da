/** The options of a choice, in their order. */
export type Options = ReadonlyArray<readonly [value: string, text: string]>

/** The options, with the chosen value as a further one if they lack it or are not loaded yet. */
export const withChosen = (options: Options, chosen: string | undefined): Options =>
  chosen === undefined || options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]]
