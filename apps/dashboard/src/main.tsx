/** The start of the dashboard: the theme and the focus handling, then the page. */
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import { keepFocus } from "./kit/Focus.ts"
import { showTheme } from "./Theme.ts"

showTheme()
keepFocus()
const root = document.getElementById("root")
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>
  )
