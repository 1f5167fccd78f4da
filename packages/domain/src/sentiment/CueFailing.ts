// Failures that happen soon or often, where the adverb is no praise of speed: "fades quickly", "jams constantly".

const failings =
  /^(?:break|chipp?|clogg?|crack|crash|dent|dull|deteriorate|degrade|deflate|die|fade|fail|flake|fray|glitch|jamm?|leak|loosen|oxidi[sz]e|overheat|peel|pill|ripp?|rust|sagg?|scratch|shrink|smudge|snapp?|spoil|squeak|stain|stall|tear|unravel|warp|wilt|wobble|yellow)(?:e?s|e?d)?$|^(?:broke|tore)$/
const soon =
  /^(?:quickly|fast|easily|rapidly|soon|early|prematurely|constantly|often|frequently|repeatedly|regularly|within|after|outright|overnight|badly)$/
// "Breaks in quickly", "takes tear down fast".
const besides = /^(?:in|into|down|up)$/
const reach = 3

/** How many words after the verb at `at` the adverb follows that says it fails soon or often; 0 where there is no such verb or adverb. */
export const failsFor = (words: ReadonlyArray<string>, at: number): number =>
  failings.test(words[at] ?? "") && !besides.test(words[at + 1] ?? "")
    ? 1 + words.slice(at + 1, at + 1 + reach).findIndex((word) => soon.test(word))
    : 0
