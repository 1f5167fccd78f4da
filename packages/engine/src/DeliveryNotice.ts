import { Effect, Stream } from "effect"
import { Bus } from "@sightline/actor/Bus"

const subject = "delivery.written"

/** Notifies the senders of all processes that deliveries were written; a sender that misses it finds them within a second. */
export const announceDeliveries: Effect.Effect<void, never, Bus> = Bus.use((bus) => bus.publish(subject, ""))

/** Those notifications, as a stream. */
export const deliveryNotices = (bus: Bus["Service"]): Stream.Stream<string> => bus.listen(subject)
