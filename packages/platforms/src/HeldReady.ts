/** Words that say there will be no overview for this question. */
export const absenceWords = ["An AI Overview is not available for this search"]

/** Words in the answer's place that say it could not be made just now. */
export const failing =
  /(?:can['’]t|cannot|could(?:n['’]t| not)) generate an? AI (?:overview|response|answer)|try again later/i

const words =
  /^[*_\s]*(?:(?:An AI Overview is not available for this search|Can['’]t generate an AI overview right now)(?:\.? Try again later)?[*_\s.]*)+$/i

/** Whether a line is nothing but words that Google's page holds ready for want of an answer, and beside one too. */
export const isHeldReady = (line: string): boolean => words.test(line)
