import { createHash } from "node:crypto";
import type { SignedForRequest } from "@conclave/cluster";

/** The answers of the signers so far, and the facts to judge them by. */
export interface SignersWord {
  readonly answers: readonly SignedForRequest[];
  /** signers that may still answer */
  readonly open: number;
  /** signers of the roster */
  readonly of: number;
  /** of them n − this many may lie */
  readonly threshold: number;
  /** how many of them remember at least that they signed what has a signature: fewer than the threshold where others left since, or began anew */
  readonly remembering: number;
  /** whether a transaction is known to be dead, by the SHA-256 of its unsigned bytes, in hex */
  readonly isDead: (digest: string) => boolean;
}

export type SignedVerdict =
  /** no transaction of the request has a signature, but for those that are dead */
  | { readonly kind: "nothing" }
  /**
   * unsigned bytes, those that most of the signers name first. More signers than may lie name each of `transactions`, and one or more each
   * of `others`. No further ones can have a signature: fewer than a quorum have named none of these
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
  /** of each signer that names it, how late it was signed */
  readonly ats: readonly number[];
}

/**
 * Judges which bytes were signed for a request, from the word of signers of which n − t may lie. Bytes with a signature were signed by t
 * signers: so those of them that remember name them, but for those that do not answer, or do not know all that they signed.
 * @returns undefined as long as further answers may change it
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

/** How late a version was signed, by the word of one signer more than may lie: it was as late at least. */
const latest = ({ ats }: Named, mayLie: number): number => ats.toSorted((a, b) => b - a)[mayLie] ?? 0;
