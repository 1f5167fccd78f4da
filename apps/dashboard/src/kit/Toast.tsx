import { Toast } from "@base-ui/react/toast"
import type { Tone } from "./Status.tsx"

const manager = Toast.createToastManager()

/** Shows a short message that needs no answer; screen readers announce a `bad` one at once. */
export const say = (message: string, tone: Tone = "plain") =>
  manager.add({ title: message, type: tone, priority: tone === "bad" ? "high" : "low" })

const Toasts = () =>
  Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast" aria-label="Message">
      <Toast.Content className="toast-content">
        <Toast.Title render={<p />} />
        <Toast.Close className="quiet" aria-label="Dismiss">
          ×
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))

/** The corner in which the messages of `say` appear. */
export const ToastCorner = () => (
  <Toast.Provider toastManager={manager} timeout={5000}>
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        <Toasts />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)
