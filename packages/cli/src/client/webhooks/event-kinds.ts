import { WEBHOOK_EVENT_KINDS } from "@conclave/custody";
import { UsageError } from "../../failure/usage-error.ts";
import { printable } from "../../printable.ts";

/** Checks kinds of events that a person named. @throws UsageError for one that no webhook can ask for */
export const refuseUnknownKinds = (kinds: readonly string[]): void => {
  const known: readonly string[] = [...WEBHOOK_EVENT_KINDS, "*"];
  const unknown = kinds.find((kind) => !known.includes(kind));
  if (unknown === undefined) return;
  throw new UsageError(`there is no kind of event "${printable(unknown)}"; there are ${known.join(", ")}`);
};
