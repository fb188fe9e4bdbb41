import type { EndedTransfer } from "./ended-transfer.ts";
import type { Violation } from "./violation.ts";

/** INV-6: each change of a transfer is reported once. @param wasRewritten whether blocks were undone: then a change may be reported again */
export const reportedOtherwise = (
  { id, status, events }: EndedTransfer,
  wasRewritten: boolean,
): readonly Violation[] => {
  const countOf = (kind: string): number => events.filter((event) => event.kind === kind).length;
  const expected = [
    ["wallet.transfer.requested", 1],
    ["wallet.transfer.confirmed", status === "Confirmed" ? 1 : 0],
    ["wallet.transfer.failed", status === "Failed" ? 1 : 0],
  ] as const;
  return expected.flatMap(([kind, count]) => {
    const reported = countOf(kind);
    const isRepeatable = wasRewritten && kind !== "wallet.transfer.requested";
    const isFine = reported === count || (isRepeatable && reported > count && count > 0);
    return isFine ? [] : [{ invariant: "INV-6", words: `${id} is ${status} and has ${reported} of ${kind}` }];
  });
};
