/** Words that say there will be no answer for this question: Google's overview's, and its AI Mode's. */
export const absenceWords = [
  "An AI Overview is not available for this search",
  "There's no response available for this search",
  "There’s no response available for this search"
]

/** Words in the answer's place that say it could not be made just now: "try again later" only where a sentence begins so. */
export const failing =
  /(?:can['’]t|cannot|could(?:n['’]t| not)) generate an? AI (?:overview|response|answer)|(?:the content|an? AI (?:overview|response|answer)) wasn['’]t generated|(?:^|[.!\n])\s*(?:please )?try again later/i

const words =
  /^[*_\s]*(?:(?:An AI Overview is not available for this search|It looks like there['’]s no response available for this search|Can['’]t generate an AI overview right now|Something went wrong and (?:the content|an AI response) wasn['’]t generated)(?:\.? Try (?:again later|asking something else))?[*_\s.]*)+$/i

/** Whether a line is nothing but words that Google's page holds ready for want of an answer, and beside one too. */
export const isHeldReady = (line: string): boolean => words.test(line)
