import { say } from "@sightline/dashboard/kit/Toast.tsx"
import { useMutation } from "@tanstack/react-query"
import { type ExportKind, exportKinds, type Sheet } from "./Export.ts"

const save = (name: string, type: string, text: string) => {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

interface ExportButtonsProps {
  readonly name: string
  readonly sheet: () => Promise<Sheet>
}

/** Buttons that save a table as a file, one for each format. The sheet is made only on a click. */
export const ExportButtons = ({ name, sheet }: ExportButtonsProps) => {
  const exporting = useMutation({
    mutationFn: async ({ extension, type, write }: ExportKind) =>
      save(`${name}.${extension}`, type, write(await sheet())),
    onError: ({ message }) => say(`Nothing was exported. ${message}`, "bad")
  })
  return (
    <div className="exports" role="group" aria-label={`Export ${name}`}>
      <span className="muted" role="status">
        {exporting.isPending && "Exporting…"}
      </span>
      {exportKinds.map((kind) => (
        // Not `disabled`, because a disabled button would lose the focus.
        <button
          key={kind.label}
          type="button"
          className="quiet"
          aria-disabled={exporting.isPending}
          onClick={() => exporting.isPending || exporting.mutate(kind)}
        >
          {kind.label}
        </button>
      ))}
    </div>
  )
}
