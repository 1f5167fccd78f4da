/** The version of the command line, as its `package.json` has it. */
export const version = "0.1.0"
