import type { StoredEvent } from "@conclave/platform";
import type { MadeSignature } from "../engine/ideal-keys.ts";
import type { Violation } from "./violation.ts";

/** A transfer that was accepted, as a run left it. Each has a recipient of its own. */
export interface EndedTransfer {
  readonly id: string;
  /** of the row; undefined where there is none */
  readonly status: string | undefined;
  readonly reason: string | undefined;
  /** wei that it was to move */
  readonly amount: bigint;
  /** wei that its recipient has on the chain */
  readonly arrived: bigint;
  readonly events: readonly Pick<StoredEvent, "kind">[];
}

/** The facts of a run, from outside of the code that they judge. */
export interface RunFacts {
  readonly transfers: readonly EndedTransfer[];
  /** every signature that signers made */
  readonly made: readonly MadeSignature[];
  /** whether blocks of the chain were undone: then a transfer may be reported as broadcast again */
  readonly wasRewritten: boolean;
  /** errors that ended a process though no fault killed it */
  readonly failures: readonly { readonly process: string; readonly error: unknown }[];
}

/** Judges a run by the invariants. @returns nothing for a run that kept all of them */
export const checkRun = (facts: RunFacts): readonly Violation[] => [
  ...reusedPresignatures(facts.made),
  ...facts.transfers.flatMap((transfer) => [
    ...paidOtherwise(transfer),
    ...unended(transfer),
    ...reportedOtherwise(transfer, facts.wasRewritten),
  ]),
  ...facts.failures.map(({ process, error }) => ({
    invariant: "process",
    words: `${process} ended by ${error instanceof Error ? error.message : String(error)}`,
  })),
];

/** INV-2: a presignature signs one digest. */
const reusedPresignatures = (made: readonly MadeSignature[]): readonly Violation[] => {
  const digests = new Map<string, Set<string>>();
  for (const { presignature, digest } of made) {
    digests.set(presignature, (digests.get(presignature) ?? new Set()).add(digest));
  }
  return [...digests]
    .filter(([, signed]) => signed.size > 1)
    .map(([presignature, { size }]) => ({
      invariant: "INV-2",
      words: `presignature ${presignature} signed ${size} digests`,
    }));
};

/** INV-4: a transfer pays once, and one that failed pays nothing. */
const paidOtherwise = ({ id, status, amount, arrived }: EndedTransfer): readonly Violation[] => {
  const due = status === "Confirmed" ? [amount] : status === "Failed" ? [0n] : [0n, amount];
  return due.includes(arrived)
    ? []
    : [
        {
          invariant: "INV-4",
          words: `${id} is ${status}, and its recipient has ${arrived} of ${amount} wei`,
        },
      ];
};

/** INV-5: an accepted transfer ends. */
const unended = ({ id, status, reason }: EndedTransfer): readonly Violation[] =>
  status === "Confirmed" || status === "Failed"
    ? []
    : [{ invariant: "INV-5", words: `${id} is ${status ?? "gone"}: ${reason ?? "no reason"}` }];

/** INV-6: each change of a transfer is reported once. */
const reportedOtherwise = (
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
    const isFine = reported === count || (wasRewritten && reported > count && count > 0);
    return isFine ? [] : [{ invariant: "INV-6", words: `${id} is ${status} and has ${reported} of ${kind}` }];
  });
};
