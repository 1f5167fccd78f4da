import { Command } from "effect/cli"
import { health, ledger, models, usage, wallet } from "./AccountCommands.ts"
import { admin } from "./AdminCommand.ts"
import { ask } from "./AskCommand.ts"
import { audit } from "./AuditCommand.ts"
import { check } from "./CheckCommand.ts"
import { checks } from "./ChecksCommand.ts"
import { compare } from "./CompareCommand.ts"
import { deliveries } from "./DeliveriesCommand.ts"
import { discover } from "./DiscoverCommand.ts"
import { keys } from "./KeysCommand.ts"
import { mcp } from "./McpCommand.ts"
import { AdminUrl, Json, Url } from "./Settings.ts"
import { watch } from "./WatchCommand.ts"
import { webhooks } from "./WebhooksCommand.ts"

/** The whole command line: the commands of customers, with `SIGHTLINE_API_KEY`, and of operators, with `ADMIN_TOKEN`. */
export const sightline = Command.make("sightline").pipe(
  Command.withDescription(
    "Whether AI engines name a brand. Customers set SIGHTLINE_API_KEY, operators ADMIN_TOKEN; both are read from the environment only."
  ),
  Command.withSubcommands([
    { group: "Questions", commands: [check, compare, discover, ask] },
    { group: "Watching", commands: [watch, checks, webhooks, deliveries] },
    { group: "Account", commands: [usage, wallet, ledger, keys, models, health] },
    { group: "Models", commands: [mcp] },
    { group: "Operators", commands: [admin, audit] }
  ]),
  Command.withGlobalFlags([Json, Url, AdminUrl])
)
