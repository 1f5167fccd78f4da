/** The start of the dashboard: the theme and the focus handling, then the page. */
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import { keepPlace } from "./kit/Place.ts"
import { showTheme } from "./Theme.ts"

showTheme()
keepPlace()
const root = document.getElementById("root")
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>
  )
