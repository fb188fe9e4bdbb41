import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import type { KeyGenerationRun } from "../keygen/run.ts";
import type { ProofContext } from "../transcript.ts";
import type { ImportAssignment } from "./assignment.ts";
import type { ImportRefusal } from "./refusal.ts";

/** What all rounds of one import know: what key generation knows, and where the client's shares lie. */
export interface ImportRun<P extends GroupPoint<P>> extends KeyGenerationRun<P> {
  /** of the shares that come of it, from 1: those that the client dealt are of the epoch before */
  readonly epoch: number;
  /** of exactly the parties */
  readonly assignment: ImportAssignment;
}

/** How an import ends when nobody cheats: in a key, or in a refusal that is the same everywhere. */
export type ImportOutcome<P extends GroupPoint<P>> =
  | { readonly kind: "imported"; readonly share: KeyShare<P> }
  | {
      readonly kind: "refused";
      /** at least one, by signer and then by field */
      readonly refusals: readonly ImportRefusal[];
    };

/** The place of a party. */
export const placeOf = (
  { assignment }: { readonly assignment: ImportAssignment },
  party: PartyIndex,
): number => {
  const place = assignment.get(party);
  if (place === undefined) throw new RangeError(`party ${party} has no place in this import`);
  return place;
};

/** Where the proof of an imported share stands. */
export const importContext = <P extends GroupPoint<P>>(
  { session, epoch }: ImportRun<P>,
  prover: PartyIndex,
): ProofContext => ({ session, epoch, prover, verifier: "all", position: "import/1 Πsch" });
