/**
 * Validation issues are sentences that a person can act on, and name no internal type.
 *
 * Planted and seen red: the messages of the schema library; modes that are only announced listed among the allowed values; a path without
 * its index; no limit to the number of issues, or to the length of a path; a choice of two in the words of the schema library; an empty
 * field name reported as the body itself.
 */
import { Result, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { CreateKey, TopUp } from "@sightline/contract/AdminApi"
import { AskRequest } from "@sightline/contract/AskApi"
import { CheckRequest } from "@sightline/contract/CheckApi"
import { fieldIssues, sentence } from "@sightline/contract/FieldIssues"
import { CreateWatch } from "@sightline/contract/WatchApi"

const issuesOf = (schema: Schema.Decoder<unknown>, value: unknown) => {
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(value)
  return Result.isFailure(decoded) ? fieldIssues(decoded.failure.issue) : []
}

const modes = `"quick", "perplexity_live", "chatgpt_live", "gemini_live", "ai_overview", "ai_mode", "bing_copilot", "all_live"`
const pair = { query: "best crm", brand: "HubSpot" }

describe("a sentence per field", () => {
  it.each([
    [CheckRequest, [], ["The request body must be an object"]],
    [CheckRequest, {}, ["`query` is required", "`brand` is required"]],
    [CheckRequest, { ...pair, brnd: 1 }, ["`brnd` is not a known field"]],
    [
      CheckRequest,
      { ...pair, "": 1, models: { "": "x" } },
      ['`""` is not a known field', '`models.""` is not a known field']
    ],
    [CheckRequest, { query: 1, brand: "" }, ["`query` must be a string", "`brand` must have 1 to 100 characters"]],
    [CheckRequest, { query: " ", brand: "\u200b" }, ["`query` must not be blank", "`brand` must not be blank"]],
    [AskRequest, { prompt: "x", track_brands: ["\u00a0"] }, ["`track_brands.0` must not be blank"]],
    [CheckRequest, { ...pair, mode: "fast" }, [`\`mode\` must be one of ${modes}`]],
    [CheckRequest, { ...pair, region: "fr" }, ['`region` must be one of "us", "uk", "ca", "au"']],
    [CheckRequest, { ...pair, providers: "claude" }, ["`providers` must be a list"]],
    [CheckRequest, { ...pair, providers: [] }, ["`providers` must have at least one item"]],
    [CheckRequest, { ...pair, providers: ["claude", "claude"] }, ["`providers` must not have an item twice"]],
    [
      CheckRequest,
      { ...pair, include: ["raw", "all"] },
      [`\`include.1\` must be one of "citations", "fan_out", "branding", "raw"`]
    ],
    [CheckRequest, { ...pair, models: { claude: 4 } }, ["`models.claude` must be a string"]],
    [
      CreateWatch,
      { ...pair, mode: "fast", interval: "daily", webhook_url: "https://a.example", webhook_secret: "x".repeat(16) },
      [`\`mode\` must be one of ${modes}`]
    ],
    [AskRequest, { prompt: "x", web_search: "yes" }, ["`web_search` must be true or false"]],
    [
      AskRequest,
      { prompt: "x", params: { temperature: 3, max_tokens: 1.5 } },
      ["`params.temperature` must be between 0 and 2", "`params.max_tokens` must be an integer"]
    ],
    [
      AskRequest,
      { prompt: "x", track_brands: Array.from({ length: 11 }, () => "a") },
      ["`track_brands` must have at most 10 items"]
    ],
    [AskRequest, { prompt: "x", async: true }, ["`webhook_id` is needed because `async` is true"]],
    [CreateKey, {}, ["`environment` is required"]],
    [CreateKey, { environment: "play" }, ['`environment` must be one of "live", "test"']],
    [TopUp, { credits: "3" }, ["`credits` must be a number"]],
    [
      CreateKey,
      { environment: "test", rate_limits: { ask: { burst: 0, per_second: 1 } } },
      ["`rate_limits.ask.burst` must be between 1 and 1000000"]
    ]
  ] as const)("%# %j", (schema, value, sentences) => {
    assert.deepEqual<ReadonlyArray<string>>(issuesOf(schema, value).map(sentence), sentences)
  })
})

it("a body with a thousand faults is reported as twenty issues, each of bounded length", () => {
  const body = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`${"long".repeat(250)}${at}`, at]))
  const issues = issuesOf(CheckRequest, { ...pair, ...body })
  assert.strictEqual(issues.length, 20)
  for (const { path, message } of issues) {
    assert.lengthOf(path, 200)
    assert.isAtMost(message.length, 300)
  }
})
