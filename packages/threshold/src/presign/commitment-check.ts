import type { OwnAuxiliary, PeerAuxiliary } from "../auxiliary/auxiliary-info.ts";
import type { Parameters } from "../parameters.ts";
import { verifyPaillierElGamal } from "../proofs/paillier-elgamal.ts";
import type { CommitmentProofs, PresignCommitments } from "./messages.ts";
import type { ProverContext } from "./prover-context.ts";

/** The commitments of a signer in round 1, with its proofs to us. All of it is public. */
export interface CommitmentCheck {
  readonly context: ProverContext;
  readonly commitments: PresignCommitments;
  readonly proofs: CommitmentProofs;
}

/**
 * Verifies both Πenc-elg of a peer.
 *
 * @param own the verifier's secrets: the proofs were made under its ring-Pedersen parameters
 * @returns the name of the failed check; undefined when both proofs verify
 */
export const flawOfCommitments = (
  parameters: Parameters,
  { pedersen }: OwnAuxiliary,
  { paillier }: PeerAuxiliary,
  { context, commitments, proofs }: CommitmentCheck,
): string | undefined => {
  const { K, G, Y, A1, A2, B1, B2 } = commitments;
  const common = { encryption: paillier, A: Y, pedersen: pedersen.parameters };
  const at = (name: string) => ({ ...context, position: `presign/1 ${name}` });
  const ofK = { ...common, C: K, B: A1, X: A2 };
  if (!verifyPaillierElGamal(at("K"), parameters, ofK, proofs.K, pedersen)) return "presign/1 Πenc-elg of K";
  const ofG = { ...common, C: G, B: B1, X: B2 };
  return verifyPaillierElGamal(at("G"), parameters, ofG, proofs.G, pedersen)
    ? undefined
    : "presign/1 Πenc-elg of G";
};
