/** The beginning of a text, at most `length` UTF-16 code units; a surrogate pair is not split. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
