import type { EndedTransfer } from "./ended-transfer.ts";
import type { Violation } from "./violation.ts";

/** INV-5: an accepted transfer ends. */
export const unended = ({ id, status, reason }: EndedTransfer): readonly Violation[] =>
  status === "Confirmed" || status === "Failed"
    ? []
    : [{ invariant: "INV-5", words: `${id} is ${status ?? "gone"}: ${reason ?? "no reason"}` }];
