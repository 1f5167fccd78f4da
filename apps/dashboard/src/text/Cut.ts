/** The first letters of a text, at most `length` of UTF-16; a pair of surrogates is not cut in two. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
