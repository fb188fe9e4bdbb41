import type { EndedTransfer } from "./ended-transfer.ts";
import type { JudgePartial } from "./made-partial.ts";
import type { AskedPayloads } from "./payload/asked-payloads.ts";
import type { Violation } from "./violation.ts";

/**
 * INV-4: transactions that a signer signs for one request exclude each other: they have the account and the number of the first one, or
 * each shares a coin with each earlier one. Requests are those that the payloads name.
 */
export const excludingEach = (asked: AskedPayloads): JudgePartial => {
  const signed = new Map<string, Map<string, readonly string[]>>();
  return ({ atMs, signer, keyId, digest }) =>
    asked.of(signer, digest).flatMap(({ transaction, authorised }): readonly Violation[] => {
      if (authorised === undefined) return [];
      const { requestId } = authorised;
      const name = `${signer}/${requestId}`;
      const earlier = signed.get(name) ?? new Map<string, readonly string[]>();
      signed.set(name, earlier);
      const takes = transaction.takes.map((taken) => `${keyId}/${taken}`);
      const now = takes.join(", ");
      if (earlier.has(now)) return [];
      const [first] = [...earlier].filter(([, taken]) => !taken.some((one) => takes.includes(one)));
      if (first === undefined) {
        earlier.set(now, takes);
        return [];
      }
      const words = `signer-${signer} signed ${requestId} for ${first[0]} and for ${now}`;
      return [{ invariant: "INV-4", words, atMs }];
    });
};

/** A payment in a block of the chain. */
export interface LandedPayment {
  readonly hash: string;
  readonly to: string | undefined;
}

/** INV-4: each recipient is of one request, so at most one payment to it is on a view of the chain. @returns judges a view */
export const onePaymentEach = (): ((
  payments: readonly LandedPayment[],
  atMs: number,
) => readonly Violation[]) => {
  const found = new Set<string>();
  return (payments, atMs) => {
    const paid = new Map<string, string>();
    return payments.flatMap(({ hash, to = "" }): readonly Violation[] => {
      const first = paid.get(to);
      paid.set(to, hash);
      if (first === undefined || found.has(to)) return [];
      found.add(to);
      return [{ invariant: "INV-4", words: `${to} is paid by ${first} and by ${hash}`, atMs }];
    });
  };
};

/** INV-4: a transfer pays once, and one that failed pays nothing. */
export const paidOtherwise = ({ id, status, amount, arrived }: EndedTransfer): readonly Violation[] => {
  const due = status === "Confirmed" ? [amount] : status === "Failed" ? [0n] : [0n, amount];
  return due.includes(arrived)
    ? []
    : [
        {
          invariant: "INV-4",
          words: `${id} is ${status}, and its recipient has ${arrived} of ${amount}`,
        },
      ];
};
