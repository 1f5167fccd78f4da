import { Effect } from "effect"

/** A server from `listen` in front of the database's socket, once it listens; closed with the scope. */
export const standIn = <Opened extends { readonly close: () => void }>(listen: (opened: () => void) => Opened) =>
  Effect.acquireRelease(
    Effect.callback<Opened>((resume) => {
      const opened = listen(() => resume(Effect.succeed(opened)))
    }),
    ({ close }) => Effect.sync(close)
  )
