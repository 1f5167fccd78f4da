import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ActionPage, ActionQuery } from "@sightline/contract/ActionApi"
import {
  Account,
  Balance,
  CreateAccount,
  CreateKey,
  Key,
  LedgerPage,
  Ticked,
  TopUp
} from "@sightline/contract/AdminApi"
import { Environment } from "@sightline/domain/Platform"
import { showActions } from "./ActionShow.ts"
import { answer, done } from "./Answer.ts"
import { operator } from "./Connection.ts"
import { accepted, responseMode } from "./Exchange.ts"
import { given, id, maybe, maybeOneOf, page, readOnly } from "./Flags.ts"
import { showLedger } from "./LedgerShow.ts"
import { fields } from "./Table.ts"

const account = Argument.String("account").pipe(Argument.withDescription("The account's id"))

const environment = maybeOneOf("environment", Environment.literals, "Which of the two worlds; live by default")

const create = Command.make(
  "create",
  { name: Argument.String("name") },
  Effect.fnUntraced(function* (flags) {
    const payload = yield* accepted(CreateAccount, flags)
    const client = yield* operator
    const show = (made: typeof Account.Type) => fields({ account: made.id, name: made.name })
    yield* answer(client.admin.createAccount({ payload, responseMode }), Account, show)
  })
).pipe(Command.withDescription("Open an account"))

const detach = Command.make(
  "detach",
  { account },
  Effect.fnUntraced(function* ({ account: gone }) {
    const client = yield* operator
    yield* done(client.admin.detachAccount({ params: { id: gone }, responseMode }), `account ${gone} is detached`)
  })
).pipe(Command.withDescription("Close an account: none of its keys works any more"))

const accounts = Command.make("accounts").pipe(
  Command.withDescription("Accounts"),
  Command.withSubcommands([create, detach])
)

const createKey = Command.make(
  "create",
  {
    account,
    environment: Flag.Literals("environment", Environment.literals).pipe(
      Flag.withDescription("The environment of the key")
    ),
    read_only: readOnly,
    rate_limits: Flag.FileParse("rate-limits", { format: "json" }).pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("A JSON file with the rate-limit buckets that differ from the defaults"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ account: owner, environment: world, read_only, ...flags }) {
    const payload = yield* accepted(CreateKey, { environment: world, read_only, ...given(flags) })
    const client = yield* operator
    const show = (made: typeof Key.Type) => fields({ key: made.id, text: made.key })
    yield* answer(client.admin.createKey({ params: { id: owner }, payload, responseMode }), Key, show)
  })
).pipe(Command.withDescription("Create a key for an account; it is shown once"))

const revokeKey = Command.make(
  "revoke",
  { id },
  Effect.fnUntraced(function* (params) {
    const client = yield* operator
    yield* done(client.admin.revokeKey({ params, responseMode }), `key ${params.id} is revoked`)
  })
).pipe(Command.withDescription("Revoke a key"))

const keys = Command.make("keys").pipe(
  Command.withDescription("Keys of any account"),
  Command.withSubcommands([createKey, revokeKey])
)

const topUp = Command.make(
  "topup",
  {
    account,
    credits: Argument.Finite("credits"),
    environment,
    reference: maybe("reference", "The same reference on the same wallet counts once")
  },
  Effect.fnUntraced(function* ({ account: owner, credits, ...flags }) {
    const payload = yield* accepted(TopUp, { credits, ...given(flags) })
    const client = yield* operator
    const show = (wallet: typeof Balance.Type) => fields({ balance: wallet.balance_cents })
    yield* answer(client.admin.topUp({ params: { id: owner }, payload, responseMode }), Balance, show)
  })
).pipe(Command.withDescription("Put credits into an account's wallet"))

const ledger = Command.make(
  "ledger",
  {
    account,
    environment: maybeOneOf("environment", Environment.literals, "One of the two wallets; both by default"),
    ...page
  },
  Effect.fnUntraced(function* ({ account: owner, ...flags }) {
    const client = yield* operator
    const call = client.admin.ledger({ params: { id: owner }, query: given(flags), responseMode })
    yield* answer(call, LedgerPage, showLedger)
  })
).pipe(Command.withDescription("List the movements of an account's wallets, newest first"))

const actions = Command.make(
  "actions",
  {
    account_id: maybe("account", "Those of one account; of all by default"),
    ...page
  },
  Effect.fnUntraced(function* (flags) {
    const query = yield* accepted(ActionQuery, given(flags))
    const client = yield* operator
    yield* answer(client.actions.list({ query, responseMode }), ActionPage, showActions)
  })
).pipe(Command.withDescription("List recorded actions and who made them, newest first"))

const tick = Command.make(
  "tick",
  {},
  Effect.fnUntraced(function* () {
    const client = yield* operator
    const show = ({ claimed }: typeof Ticked.Type) => fields({ claimed })
    yield* answer(client.admin.tick({ responseMode }), Ticked, show)
  })
).pipe(Command.withDescription("Run one pass of the scheduler now"))

const scheduler = Command.make("scheduler").pipe(
  Command.withDescription("The scheduler"),
  Command.withSubcommands([tick])
)

/** `sightline admin`: the operators' commands, with `ADMIN_TOKEN`. */
export const admin = Command.make("admin").pipe(
  Command.withDescription("What operators do, with ADMIN_TOKEN"),
  Command.withSubcommands([accounts, keys, topUp, ledger, actions, scheduler])
)
