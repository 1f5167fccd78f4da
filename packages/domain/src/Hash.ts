/**
 * A 32-bit number that depends on every character of a text, the same in every process and for ever (FNV-1a, then the
 * finisher of MurmurHash3, without which the low digits of similar texts stay similar).
 *
 * Shape: an integer from 0 to 2^32 - 1. Not for secrets.
 */
export const hash32 = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
