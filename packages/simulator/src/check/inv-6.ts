import type { EndedTransfer } from "./ended-transfer.ts";
import type { Violation } from "./violation.ts";

/** INV-6: each change of a transfer is reported once, and its end once more, at most, for each time that its payment was undone. */
export const reportedOtherwise = ({ id, status, events, undone }: EndedTransfer): readonly Violation[] => {
  const countOf = (kind: string): number => events.filter((event) => event.kind === kind).length;
  const expected = [
    ["wallet.transfer.requested", 1],
    ["wallet.transfer.confirmed", status === "Confirmed" ? 1 : 0],
    ["wallet.transfer.failed", status === "Failed" ? 1 : 0],
  ] as const;
  return expected.flatMap(([kind, count]) => {
    const reported = countOf(kind);
    const repeats = kind === "wallet.transfer.requested" ? 0 : count * undone;
    const isFine = count <= reported && reported <= count + repeats;
    return isFine ? [] : [{ invariant: "INV-6", words: `${id} is ${status} and has ${reported} of ${kind}` }];
  });
};
