import { exists } from "./Absence.ts"
import { thing } from "./AbsenceWords.ts"
import type { Clause } from "@sightline/domain/text/Clause"

// Statements that show that an answer knows a name after all: expressions over folded text.

const knows =
  "(?:(?:(?:it|they)(?:['’]s|['’]re|\\s(?:is|are|has|have|was|offers?|gets?|remains?|does))|is|has|offers|remains|earns|gets|its|their|users|owners|customers|reviewers|fans)\\s)(?![^.]{0,80}?(?:\\bnot?\\b|n['’]t\\b|\\b(?:may|might|could|possib\\w+|perhaps|seems?|appears?|likely|probably|sounds?|unclear|unknown|new|i|we)\\b))"
// "It is not in every list, but it is a solid choice"
const affirmed = new RegExp(
  `(?:[,;–—]\\s*|\\s)(?:but|yet|still|however|nevertheless|nonetheless|though|although)\\b,?\\s+${knows}`,
  "u"
)
// "Although it is not in every list, it is a solid choice"
const conceding = /^\W*(?:although|though|while|even (?:though|if))\b/u
const conceded = new RegExp(`^[^,;]*,\\s+${knows}`, "u")

// Subjects that refer to the name.
const subject = `(?:it|they|(?:its|their)(?: (?!(?:or|and|its|their)\\b)[\\w-]+){1,3}|the (?:[\\w-]+ ){0,2}?(?:${thing}|agency|school|maker|restaurant|hotel|book|game|drug|supplement|cream|shop|bank|broker|manufacturer)(?:['’]s(?: [\\w-]+){1,3})?|each(?: [\\w-]+)?)`
// A sentence with one of these guesses, or says what is not known, and so states nothing.
const untelling =
  "\\b(?:i|we|my|me|may|might|could|would|should|cannot|perhaps|possibly|possible|likely|probably|unclear|unknown|seems?|sounds?|looks|means|appears?|guess\\w*|if|whether|any|nothing|none|no|exists?|real|search|results?|sources?|spelled|spelt|typo|fictional|new|newer|name|names|else|similar|same)\\b|n['’]t (?:appear|list|mention|in|on|known|exist|show|turn|come|among|registered|covered|return|have)"
const telling = `(?:['’]s|['’]re|\\s(?:is|are|was|were|has|have|had|does|do|did|can|will|[a-z]+(?:s|ed)|sold|made|left|lost|went|won|cost|cut|put|held|got|ran|sits)(?:n['’]t(?! (?:appear|list|mention|in|on|known|exist|show|turn|come|among|registered|covered|return|have|part|one|something))| not (?=aimed|sold|available|cheap))?)\\b`
const afterwards = new RegExp(
  `(?:[,;:–—]|\\b(?:but|yet|since|because|though|although|while|when|and))\\s(?:(?:and|but|yet|since|because|though|although|while|when|on [\\w-]+|as|for)\\s){0,2}${subject}${telling}(?![^.;]{0,80}(?:${untelling}))`,
  "u"
)
const nextUp = new RegExp(`^\\W*${subject}${telling}(?![^.;]{0,80}(?:${untelling}))`, "u")
// "The Sorbonne, whose business school …", "since 1998, when it merged"
const whose = new RegExp(`\\b(?:whose|of which)\\b(?![^.;]{0,80}(?:${untelling}))`, "u")

// "There is no evidence that it beats Acme on price" denies a claim about the name, not the name.
const claimed = new RegExp(
  "(?:\\b(?:no|not|insufficient|little)|n['’]t) (?:[\\w-]+ ){0,2}?(?:evidence|proof|reason)\\s" +
    "(?:that\\s\\W{0,3}(?!(?:anyone|anybody|any|an?|such|one)\\b)\\w|to (?:call|consider|say|suggest|support|show|prove|recommend|back|think|believe|conclude)\\b)" +
    "(?![^.?!;]*\\b(?:called|named|known as)\\b)[^.?!;]*$",
  "u"
)

// "Acme has left Leeds, and I know of no plans to return"
const did =
  /^["”’*_]*\s(?:has |have |had )?(?:lost|left|closed|shut|moved|merged|sold|stopped|discontinued|launched|started|opened|won|raised|cut|rebranded|filed|acquired|bought)\s(?!(?:no|zero|little|nothing|me)\b)[^.?!;]*?(?:,| and| but| so)\s/u

/** Whether the clause, or the sentence after it, states something about the name in spite of a denial, so that the name is known. */
export const isAffirmed = ({ before, after, next }: Clause): boolean =>
  affirmed.test(after) ||
  did.test(after) ||
  (claimed.test(before) && !exists.test(after)) ||
  (conceding.test(before) && conceded.test(after)) ||
  afterwards.test(after) ||
  whose.test(after) ||
  nextUp.test(next())
