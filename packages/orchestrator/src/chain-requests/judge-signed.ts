import { createHash } from "node:crypto";
import type { SignedForRequest } from "@conclave/cluster";

/** The signers' answers so far, and the facts to judge them by. */
export interface SignersWord {
  readonly answers: readonly SignedForRequest[];
  /** signers that may still answer */
  readonly open: number;
  /** number of signers in the roster */
  readonly of: number;
  /** the threshold t: up to n − t signers may lie */
  readonly threshold: number;
  /**
   * the least number of signers that remember signing a transaction that has a signature; below the threshold if signers
   * have left or got new identities since
   */
  readonly remembering: number;
  /** whether a transaction is known to be dead, by the SHA-256 of its unsigned bytes, in hex */
  readonly isDead: (digest: string) => boolean;
}

export type SignedVerdict =
  /** no transaction of the request has a signature, except dead ones */
  | { readonly kind: "nothing" }
  /**
   * unsigned bytes, those that most signers name first. Each of `transactions` is named by more signers than may lie,
   * each of `others` by at least one. No other bytes can have a signature, as fewer than a quorum have named none of
   * these
   */
  | {
      readonly kind: "bytes";
      readonly transactions: readonly Uint8Array[];
      readonly others: readonly Uint8Array[];
    }
  /** too few have answered, or what they name was signed by a part of a quorum and may have a signature */
  | { readonly kind: "unsure" };

interface Named {
  readonly unsigned: Uint8Array;
  /** its position in the list of each signer that names it: the later, the later it was signed */
  readonly ats: readonly number[];
}

/**
 * Judges which bytes were signed for a request, from the answers of signers of which n − t may lie. Bytes with a
 * signature were signed by t signers: all of these that remember name the bytes, except signers that do not answer, or
 * do not know all that they signed.
 * @returns undefined while further answers may change the verdict
 */
export const judgeSigned = (word: SignersWord): SignedVerdict | undefined => {
  const { answers, open, of, threshold, remembering, isDead } = word;
  const named = new Map<string, Named>();
  for (const { transactions } of answers) {
    transactions.forEach((unsigned, at) => {
      const digest = createHash("sha256").update(unsigned).digest("hex");
      const known = named.get(digest) ?? { unsigned, ats: [] };
      named.set(digest, { unsigned, ats: [...known.ats, at] });
    });
  }
  const alive = [...named].flatMap(([digest, each]) => (isDead(digest) ? [] : [each]));
  const mayLie = of - threshold;
  const isEnough = ({ ats }: Named): boolean => ats.length > mayLie;
  const inOrder = alive.toSorted(
    (a, b) => b.ats.length - a.ats.length || latest(b, mayLie) - latest(a, mayLie),
  );
  const sure = inOrder.filter(isEnough);
  const most = Math.max(0, ...alive.map(({ ats }) => ats.length));
  const unknown = of - answers.length + answers.filter(({ isWhole }) => !isWhole).length;
  if (most + unknown < remembering) return { kind: "nothing" };
  if (open > 0 && (sure[0]?.ats.length ?? 0) < threshold) return undefined;
  if (sure.length === 0) return { kind: "unsure" };
  const bytesOf = (some: readonly Named[]): readonly Uint8Array[] => some.map(({ unsigned }) => unsigned);
  const others = inOrder.filter((each) => !isEnough(each));
  return { kind: "bytes", transactions: bytesOf(sure), others: bytesOf(others) };
};

/**
 * The earliest position at which a version can have been signed: one more signer than may lie names it at this position
 * or later.
 */
const latest = ({ ats }: Named, mayLie: number): number => ats.toSorted((a, b) => b - a)[mayLie] ?? 0;
