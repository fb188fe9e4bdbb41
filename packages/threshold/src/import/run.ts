import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import type { KeyGenerationRun } from "../keygen/run.ts";
import type { ProofContext } from "../transcript.ts";
import type { ImportAssignment } from "./assignment.ts";
import type { ImportRefusal } from "./refusal.ts";

/** The parameters of one import, known to all its rounds: those of key generation, and the positions of the client's shares. */
export interface ImportRun<P extends GroupPoint<P>> extends KeyGenerationRun<P> {
  /** the epoch of the resulting shares, from 1: the client's shares belong to the epoch before */
  readonly epoch: number;
  /** a position for each party, and no others */
  readonly assignment: ImportAssignment;
}

/** The outcome of an import when no signer cheats: a key, or a refusal that is the same at every signer. */
export type ImportOutcome<P extends GroupPoint<P>> =
  | { readonly kind: "imported"; readonly share: KeyShare<P> }
  | {
      readonly kind: "refused";
      /** at least one, by signer and then by field */
      readonly refusals: readonly ImportRefusal[];
    };

/** The position of a party. @throws RangeError when it has no position */
export const positionOf = (
  { assignment }: { readonly assignment: ImportAssignment },
  party: PartyIndex,
): number => {
  const position = assignment.get(party);
  if (position === undefined) throw new RangeError(`party ${party} has no place in this import`);
  return position;
};

/** The context of the proof of an imported share. */
export const importContext = <P extends GroupPoint<P>>(
  { session, epoch }: ImportRun<P>,
  prover: PartyIndex,
): ProofContext => ({ session, epoch, prover, verifier: "all", position: "import/1 Πsch" });
