import { Effect, Stream } from "effect"
import { Bus } from "@sightline/actor/Bus"

const subject = "delivery.written"

/** Tells the senders of all processes that deliveries were written; one who is not told finds them a second later. */
export const announceDeliveries: Effect.Effect<void, never, Bus> = Bus.use((bus) => bus.publish(subject, ""))

/** Each time that is told. */
export const deliveryNotices = (bus: Bus["Service"]): Stream.Stream<string> => bus.listen(subject)
