/**
 * What inverts the words about a brand, cancels them or leaves them as they are, one fact at a time.
 *
 * Planted and seen red:
 * - single words of denial, removal, ease and supposition are left out; their reach is shorter or longer
 * - a denial counts twice; the shorter of two phrases is read first
 * - "and", "or" and "nor" do not extend a denial
 * - compounds and words with endings are read as their parts
 * - asides are not set aside, or words with a verb or an "and" of their own are taken for the clause that they interrupt, or something
 *   other than a denial ends before them
 * - "and" leaves "hardly" as it is or ends it, or joins its two sides into one; "barely works" has no effect
 * - "rare today" is taken for plentiful, and "low and" is taken to reduce what follows
 * - "never, ever" and a series with "or" are cut at their commas
 * - reports of bugs are taken for bugs, or bugs for reports of them
 * - "would be if it were" is taken for a fact
 */
import { type Sentiment, sentimentOf } from "@sightline/domain/Sentiment"
import { assert, it } from "vitest"

const of = (text: string): Sentiment["sentiment"] => {
  const from = text.indexOf("Acme")
  return sentimentOf(text, [from, from + "Acme".length]).sentiment
}

const facts: ReadonlyArray<readonly [fact: string, positive: ReadonlyArray<string>, negative: ReadonlyArray<string>]> =
  [
    [
      "words of denial invert praise and blame",
      [
        "Acme has zero bugs.",
        "Acme is neither slow nor expensive.",
        "Acme leaves little to dislike.",
        "I wouldn't hesitate to recommend Acme.",
        "Acme is free of bugs."
      ],
      [
        "Acme is hardly reliable.",
        "I would hesitate to recommend Acme.",
        "I am reluctant to recommend Acme.",
        "Acme is barely reliable.",
        "Acme cannot be called reliable.",
        "None of the reviews call Acme reliable.",
        "No one in any of the reviews finds Acme reliable.",
        "Acme is far from reliable.",
        "Acme is anything but reliable."
      ]
    ],
    [
      "a denial reaches five words far, not counting names, and “or” and “nor” extend it",
      [
        "Those who do not know the makers of Acme call it reliable.",
        "Acme comes without any visible bugs.",
        "Acme is not slow in daily work or buggy.",
        "Acme is not slow in daily work nor buggy."
      ],
      ["Acme is not in my opinion very reliable.", "Acme is not for Cora Bolt Dexi Eros Fyra a very reliable tool."]
    ],
    [
      "“hardly” with an adjective goes on past “and”, and a thing that hardly works is at fault",
      [
        "Acme is hardly slow and buggy.",
        "Acme is hardly a bad choice and reliable.",
        "Acme hardly ever crashes and freezes.",
        "Acme is barely audible and reliable."
      ],
      [
        "Acme is barely usable and slow.",
        "Acme barely works and crashes.",
        "Acme is scarcely reliable and slow.",
        "Acme is hardly fast and reliable.",
        "Acme is barely functional."
      ]
    ],
    [
      "a denial continues after an aside where its predicate is still to come",
      [
        "Acme is not, by any measure, slow.",
        "Bolt is slow, Acme is not, its app is reliable, fast and cheap.",
        "Bolt is slow, Acme is not, by any measure, and reliable too.",
        "Bolt is slow; Acme is not, and is, by any measure, reliable.",
        "Acme is not for beginners, in my view, great for experts.",
        "Acme is not for everyone, in my view, but reliable.",
        "Acme is not slow, by any measure, and reliable.",
        "If not, in my view, Acme is reliable."
      ],
      [
        "Acme is not in any way, by any measure, reliable.",
        "Acme is not at all (as some say) reliable.",
        "Acme is not in the least – frankly – reliable.",
        "Acme isn't, to be honest, very reliable.",
        "Acme is not, unlike Bolt, reliable."
      ]
    ],
    [
      "a denial includes the words that stress it, and a series that it denies up to “or”",
      [
        "Acme never, ever crashes.",
        "Acme is very, very fast.",
        "Acme isn't slow, buggy or expensive.",
        "Acme comes without bugs, crashes, or hidden fees.",
        "Acme reduces errors, crashes or downtime.",
        "Acme is not cheap, it is reliable and fast or so they say.",
        "Acme is not cheap, but reliable, light or fast.",
        "Acme is not cheap, reliable, fast."
      ],
      [
        "Acme is never, ever reliable.",
        "Acme is not very, very fast.",
        "Acme is not cheap, reliable or fast.",
        "Acme is not cheap, reliable nor fast.",
        "Acme isn't fast, cheap, or easy to use.",
        "Acme lacks polish, reliable sync or good support."
      ]
    ],
    [
      "“not only”, “at least” and a claim deny nothing, and a double denial is no denial",
      [
        "Acme is not only reliable.",
        "Acme is not just reliable.",
        "Acme is at least reliable.",
        "Acme claims to offer reliable hosting.",
        "No other tool is as reliable as Acme."
      ],
      ["Acme is not free of bugs."]
    ],
    [
      "praise that is lacking, or that a thing fails to earn, is blame, and the denial of a lack is praise",
      ["Acme does not lack polish."],
      ["Acme is lacking polish.", "Acme fails to be reliable.", "Acme struggles to stay reliable."]
    ],
    [
      "easing or preventing a fault is praise, and praise beside it remains",
      [
        "Acme is immune to crashes.",
        "Acme is resistant to failures.",
        "Acme prevents great losses.",
        "Acme tracks great deals.",
        "Acme fixes ugly bugs.",
        "Acme keeps bad bots away."
      ],
      []
    ],
    [
      "words for rarity or falsehood invert their whole subject",
      [
        "Complaints about Acme are quite rare in practice.",
        "Bugs and crashes in Acme are rare.",
        "Complaints about Acme are rare today.",
        "Outages at Acme are uncommon these days.",
        "Acme's prices are low and complaints are rare.",
        "Rumors about Acme being unreliable are false.",
        "Reports of bugs in Acme are false.",
        "Reports of bugs in Acme are exaggerated.",
        "Issues with Acme are few.",
        "Complaints about Acme are false."
      ],
      [
        "Good reviews of Acme are rare today.",
        "Complaints about Acme are not rare today.",
        "Issues with the Acme app are common.",
        "Reports of bugs in Acme are true.",
        "Acme has bugs and its reports are false.",
        "Complaints about Acme are a low blow.",
        "Acme's prices are low and bugs are common."
      ]
    ],
    [
      "a compound that excludes a fault is praise",
      ["Acme has an anti-spam filter.", "Acme is bug-less.", "Acme makes a non-toxic glue."],
      ["Acme is error-prone."]
    ],
    [
      "other forms of a word have its sentiment",
      [
        "Acme is flexibly priced.",
        "Acme is affordably priced.",
        "Acme is sturdily made.",
        "Acme has the speediest app."
      ],
      ["Acme has a dimmer screen."]
    ],
    [
      "the longest matching phrase counts",
      [
        "Acme is easy on the eyes.",
        "It is difficult to find fault with Acme.",
        "There's a lot to like about Acme.",
        "Acme won't break the bank."
      ],
      [
        "It is difficult to recommend Acme.",
        "Don't bother with Acme.",
        "There's not much to like about Acme.",
        "Acme can be overwhelming.",
        "Acme has a steep learning curve.",
        "Acme falls short of expectations."
      ]
    ],
    [
      "a comparison praises the better side, and needs no rival by name",
      ["Acme beats all.", "Acme outperforms everything else.", "Acme beats the old Bolt.", "Bolt lags behind Acme."],
      ["Acme lags behind Bolt.", "Acme loses to Bolt."]
    ],
    [
      "the chosen brand is praised, and the one passed over is blamed",
      [
        "Pick Acme rather than Bolt.",
        "Choose Acme instead of Bolt.",
        "Try Acme instead.",
        "I would choose the newest and largest model of Acme over Bolt."
      ],
      ["Pick Bolt rather than Acme.", "Choose Bolt instead of Acme.", "Ditch Acme.", "Skip Acme."]
    ],
    ["praise before a word for trouble is blame", [], ["Acme has reliability woes.", "Acme has reliability problems."]]
  ]

it.each(facts)("%s", (_, positive, negative) => {
  for (const text of positive) assert.strictEqual(of(text), "positive", text)
  for (const text of negative) assert.strictEqual(of(text), "negative", text)
})

it("a hypothetical, a fault that the brand handles, and a use that it is made for have no sentiment", () => {
  for (const text of [
    "Acme may in time be reliable.",
    "If Acme were reliable, it would be great.",
    "If it were cheaper, Acme would be perfect.",
    "If Acme only had better support, I'd recommend it.",
    "Acme would be great if it had better support.",
    "Acme could be great.",
    "Acme promised great support.",
    "Acme claims to be reliable.",
    "I wonder whether Acme is reliable.",
    "Nobody should buy Acme unless it is reliable.",
    "Acme replaces clunky spreadsheets.",
    "Acme simplifies tedious paperwork.",
    "Acme pans are oven-safe.",
    "Acme sells creams for acne-prone skin.",
    "Acme makes it hard to make mistakes.",
    "Choose Acme to save.",
    "It is hard to find a better tool than Acme."
  ])
    assert.strictEqual(of(text), "neutral", text)
})
