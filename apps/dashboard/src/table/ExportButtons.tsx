import { exportKinds, type Sheet } from "./Export.ts"

const save = (name: string, type: string, text: string) => {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** Saves a table as a file of the kind that is clicked; the sheet is made only then. */
export const ExportButtons = ({ name, sheet }: { readonly name: string; readonly sheet: () => Sheet }) => (
  <div className="exports" role="group" aria-label={`Export ${name}`}>
    {exportKinds.map(({ label, extension, type, write }) => (
      <button
        key={label}
        type="button"
        className="quiet"
        onClick={() => save(`${name}.${extension}`, type, write(sheet()))}
      >
        {label}
      </button>
    ))}
  </div>
)
