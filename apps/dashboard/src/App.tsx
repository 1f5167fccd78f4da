import { CSPProvider } from "@base-ui/react/csp-provider"
import { QueryClientProvider } from "@tanstack/react-query"
import { Activity, type ComponentType, type ReactNode, Suspense, useState } from "react"
import { createPortal } from "react-dom"
import { Route, Switch, useLocation, useRoute } from "wouter"
import { Boundary } from "./kit/Boundary.tsx"
import { Page } from "./kit/Page.tsx"
import { Empty, Loading } from "./kit/States.tsx"
import { ToastCorner } from "./kit/Toast.tsx"
import { queryClient } from "./Query.ts"
import { routes } from "./Routes.tsx"
import { useSession } from "./Session.ts"
import { Shell } from "./Shell.tsx"
import { SignInPage } from "./SignInPage.tsx"

const Lost = () => (
  <Page title="Not found">
    <Empty title="There is no page at this address." />
  </Page>
)

const Part = ({ children }: { readonly children: ReactNode }) => (
  <Boundary>
    <Suspense fallback={<Loading lines={8} />}>{children}</Suspense>
  </Boundary>
)

/** A page that stays mounted, hidden, once it has been visited. */
const Staying = ({ path, page: Page }: { readonly path: string; readonly page: ComponentType }) => {
  const [isHere] = useRoute(path)
  const [wasHere, setWasHere] = useState(isHere)
  if (isHere && !wasHere) setWasHere(true)
  return (
    wasHere && (
      <Activity mode={isHere ? "visible" : "hidden"}>
        <Part>
          <Page />
        </Part>
      </Activity>
    )
  )
}

const nothing = () => null

const Pages = () => {
  const [place] = useLocation()
  return (
    <Shell>
      {routes.map(({ path, page, stays }) => stays === true && <Staying key={path} path={path} page={page} />)}
      <Part key={place}>
        <Switch>
          {routes.map(({ path, page, stays }) => (
            <Route key={path} path={path} component={stays === true ? nothing : page} />
          ))}
          <Route component={Lost} />
        </Switch>
      </Part>
    </Shell>
  )
}

// The session is read in parallel with the page's own data, and a 401 of either leads to the sign-in. If a session ends while a page is
// shown, the page stays mounted with what was typed into it, but is hidden, also from screen readers and the keyboard, until a new sign-in.
const Gate = () => {
  const { data: session } = useSession()
  return (
    <>
      {session !== null && <Pages />}
      {session?.hasEnded === true && createPortal(<SignInPage isReturning />, document.body)}
      {session === null && <SignInPage isReturning={false} />}
    </>
  )
}

/** The whole page. */
export const App = () => (
  <CSPProvider disableStyleElements>
    <QueryClientProvider client={queryClient}>
      <Gate />
      <ToastCorner />
    </QueryClientProvider>
  </CSPProvider>
)
