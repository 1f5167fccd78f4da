// Enough to hold some of the most common words, wherever English is written.
const sample = 1024
const common = "\\b(?:the|and|with|are|this|that|you|it|to|have)\\b"
const threeCommon = new RegExp(`${common}.*?${common}.*?${common}`, "su")

/** Whether a folded text is English, by its most common words. */
export const isEnglish = (text: string): boolean => threeCommon.test(text.slice(0, sample))
