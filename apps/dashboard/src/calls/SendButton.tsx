/** The button that makes the call. It is disabled while a call is running. */
export const SendButton = ({ running, label }: { readonly running: boolean; readonly label: string }) => (
  <button type="submit" className="primary" disabled={running}>
    {running ? "Running…" : label}
  </button>
)
