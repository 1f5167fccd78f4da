/** The words with which Google's overview and its AI Mode say that there is no answer for this question. */
export const absenceWords = [
  "An AI Overview is not available for this search",
  "There's no response available for this search",
  "There’s no response available for this search"
]

/** Words in place of an answer that say it could not be generated now. "Try again later" counts only at the beginning of a sentence. */
export const failureMessage =
  /(?:can['’]t|cannot|could(?:n['’]t| not)) generate an? AI (?:overview|response|answer)|(?:the content|an? AI (?:overview|response|answer)) wasn['’]t generated|(?:^|[.!\n])\s*(?:please )?try again later/i

const words =
  /^[*_\s]*(?:(?:An AI Overview is not available for this search|It looks like there['’]s no response available for this search|Can['’]t generate an AI overview right now|Something went wrong and (?:the content|an AI response) wasn['’]t generated)(?:\.? Try (?:again later|asking something else))?[*_\s.]*)+$/i

/**
 * Whether a line consists only of the messages that Google's page keeps ready for a missing answer. The page has them
 * even when there is an answer.
 */
export const isNoAnswerMessage = (line: string): boolean => words.test(line)
