/** Makes the call, once: it rests while one is running. */
export const SendButton = ({ running, label }: { readonly running: boolean; readonly label: string }) => (
  <button type="submit" className="primary" disabled={running}>
    {running ? "Running…" : label}
  </button>
)
