// How soon or how often something goes wrong with a thing, which is no praise of its speed: "fades quickly", "jams constantly".

const failings =
  /^(?:break|chip|clog|crack|crash|dent|dull|deteriorate|degrade|deflate|die|fade|fail|flake|fray|glitch|jam|leak|loosen|oxidi[sz]e|overheat|peel|pill|rip|rust|sag|scratch|shrink|smudge|snap|spoil|squeak|stain|stall|tear|unravel|warp|wilt|wobble|yellow)(?:s|es)?$|^(?:broke|died|tore|tears)$|^(?:chipp|clogg|crack|crash|dent|dull|fad|fail|flak|fray|jamm|leak|peel|pill|ripp|rust|sagg|scratch|snapp|stain|stall|unravel|warp|wilt|yellow)ed$/
const soon =
  /^(?:quickly|fast|easily|rapidly|soon|early|prematurely|constantly|often|frequently|repeatedly|regularly|within|after|outright|overnight|badly)$/
// "Breaks in quickly", "takes tear down fast".
const besides = /^(?:in|into|down|up)$/
const reach = 3

/** How many words after the one at `at` tell that it fails soon or often; 0 where it does not fail, or not so. */
export const failsFor = (words: ReadonlyArray<string>, at: number): number =>
  failings.test(words[at] ?? "") && !besides.test(words[at + 1] ?? "")
    ? 1 + words.slice(at + 1, at + 1 + reach).findIndex((word) => soon.test(word))
    : 0
