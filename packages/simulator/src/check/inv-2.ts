import type { PartyIndex } from "@conclave/threshold";
import type { MadeSignature } from "../engine/ideal-keys.ts";
import type { JudgePartial, MadePartial } from "./made-partial.ts";
import type { Violation } from "./violation.ts";

/**
 * INV-2: a signer uses its part of a presignature for one digest, over all its lives. Signers that were shown different digests may each
 * make one partial signature: these do not combine.
 */
export const oneDigestEach = (): JudgePartial => {
  const used = new Map<string, Set<string>>();
  return ({ atMs, signer, presignature, digest }: MadePartial) => {
    const name = `${signer}/${presignature}`;
    const digests = used.get(name) ?? new Set<string>();
    used.set(name, digests);
    if (digests.has(digest)) return [];
    digests.add(digest);
    if (digests.size === 1) return [];
    const words = `signer-${signer} used its part of presignature ${presignature} for ${digests.size} digests`;
    return [{ invariant: "INV-2", words, atMs }];
  };
};

/** A run that a signer opened in its engine. */
export interface OpenedRun {
  /** virtual milliseconds since the beginning */
  readonly atMs: number;
  readonly signer: PartyIndex;
  /** the id that its signers derived from all that they agree on */
  readonly run: string;
}

/** INV-2: a signer opens each run once, over all its lives: a signer that opens a run again has resumed a session. */
export const openedOnce = (): ((opened: OpenedRun) => readonly Violation[]) => {
  const runs = new Set<string>();
  return ({ atMs, signer, run }) => {
    const name = `${signer}/${run}`;
    if (!runs.has(name)) {
      runs.add(name);
      return [];
    }
    return [{ invariant: "INV-2", words: `signer-${signer} opened the run ${run} again`, atMs }];
  };
};

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
