import type { PeerAuxiliary } from "../auxiliary/auxiliary-info.ts";
import type { Parameters } from "../parameters.ts";
import { verifyPaillierElGamal } from "../proofs/paillier-elgamal.ts";
import type { OwnRingPedersen, RingPedersen } from "../ring-pedersen.ts";
import type { CommitmentProofs, PresignCommitments } from "./messages.ts";
import type { ProverContext } from "./prover-context.ts";

/** The commitments of a signer in round 1, with its proofs to this party; all public. */
export interface CommitmentCheck {
  readonly context: ProverContext;
  readonly commitments: PresignCommitments;
  readonly proofs: CommitmentProofs;
}

/**
 * Verifies both Πenc-elg of a peer.
 *
 * @param verifier the parameters under which the proofs were made
 * @param own the secrets of the verifier, which speed it up; a third party has none
 * @returns the name of the failed check; undefined when both proofs verify
 */
export const flawOfCommitments = (
  parameters: Parameters,
  verifier: RingPedersen,
  { paillier }: Pick<PeerAuxiliary, "paillier">,
  { context, commitments, proofs }: CommitmentCheck,
  own?: OwnRingPedersen,
): string | undefined => {
  const { K, G, Y, A1, A2, B1, B2 } = commitments;
  const common = { encryption: paillier, A: Y, pedersen: verifier };
  const at = (name: string) => ({ ...context, position: `presign/1 ${name}` });
  const ofK = { ...common, C: K, B: A1, X: A2 };
  if (!verifyPaillierElGamal(at("K"), parameters, ofK, proofs.K, own)) return "presign/1 Πenc-elg of K";
  const ofG = { ...common, C: G, B: B1, X: B2 };
  return verifyPaillierElGamal(at("G"), parameters, ofG, proofs.G, own)
    ? undefined
    : "presign/1 Πenc-elg of G";
};
