import type { MadeSignature } from "../engine/ideal-keys.ts";
import type { Violation } from "./violation.ts";

/** INV-2: the whole signatures of a presignature are of one digest: with two of them, anybody computes the key. */
export const reusedPresignatures = (made: readonly MadeSignature[]): readonly Violation[] => {
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
