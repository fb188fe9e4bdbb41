import type { OwnAuxiliary, PeerAuxiliary } from "../auxiliary/auxiliary-info.ts";
import { GENERATOR, type Point } from "../group.ts";
import type { Ciphertext } from "../paillier.ts";
import type { Parameters } from "../parameters.ts";
import {
  type AffineOperationProof,
  openAffineOperation,
  verifyAffineOperation,
} from "../proofs/affine-operation.ts";
import { type ElGamalLogProof, verifyElGamalLog } from "../proofs/elgamal-log.ts";
import { Secret } from "../secret.ts";
import type { CheckResult } from "../session/round.ts";
import type { Conversion, ConversionPair, ConversionProofs, PresignCommitments } from "./messages.ts";
import type { ProverContext } from "./prover-context.ts";

/** The ciphertexts that a signer computed from our K in round 2, with its proofs; all public. */
export interface ConversionCheck {
  readonly context: ProverContext;
  /** from the signer's round 1 */
  readonly committed: Pick<PresignCommitments, "Y" | "B1" | "B2">;
  readonly Gamma: Point;
  /** Πelog of Γ */
  readonly proof: ElGamalLogProof;
  /** X_j, the signer's part of the public key among these signers */
  readonly publicShare: Point;
  /** our own, of round 1 */
  readonly K: Ciphertext;
  readonly pair: ConversionPair;
  readonly proofs: ConversionProofs;
}

/**
 * Verifies a peer's Πelog and both its Πaff-g: the peer multiplied our K by the logarithms of Γ_j and X_j.
 *
 * @param own the secrets of the receiver, which made K
 * @param k the plaintext of K
 * @returns a passed check with α and α^, in (-N/2, N/2], when all proofs verify
 */
export const judgeConversions = (
  parameters: Parameters,
  own: OwnAuxiliary,
  peer: PeerAuxiliary,
  { context, committed, Gamma, proof, publicShare, K, pair, proofs }: ConversionCheck,
  k: bigint,
): CheckResult => {
  const { Y, B1, B2 } = committed;
  const ofGamma = { L: B1, M: B2, X: Y, Y: Gamma, H: GENERATOR };
  if (!verifyElGamalLog({ ...context, verifier: "all", position: "presign/2 Γ" }, ofGamma, proof)) {
    return { kind: "fails", check: "presign/2 Πelog of Γ" };
  }
  const open = (X: Point, { D, F }: Conversion, shown: AffineOperationProof, position: string) =>
    openAffineOperation(
      { ...context, position },
      parameters,
      {
        receiver: own.paillier.publicKey,
        encryption: peer.paillier,
        C: K,
        D,
        Y: F,
        X,
        pedersen: own.pedersen.parameters,
      },
      shown,
      own,
      k,
    );
  const nonce = open(Gamma, pair.nonce, proofs.nonce, "presign/2 D");
  if (nonce === undefined) return { kind: "fails", check: "presign/2 Πaff-g of D" };
  const key = open(publicShare, pair.key, proofs.key, "presign/2 D^");
  if (key === undefined) return { kind: "fails", check: "presign/2 Πaff-g of D^" };
  return { kind: "stands", found: new Secret([nonce, key]) };
};

/**
 * The same verification for third parties, without secrets and without α and α^.
 *
 * @param receiver the party that made K
 * @returns the name of the failed check; undefined when all proofs verify
 */
export const flawOfConversions = (
  parameters: Parameters,
  receiver: PeerAuxiliary,
  sender: Pick<PeerAuxiliary, "paillier">,
  { context, committed, Gamma, proof, publicShare, K, pair, proofs }: ConversionCheck,
): string | undefined => {
  const { Y, B1, B2 } = committed;
  const ofGamma = { L: B1, M: B2, X: Y, Y: Gamma, H: GENERATOR };
  if (!verifyElGamalLog({ ...context, verifier: "all", position: "presign/2 Γ" }, ofGamma, proof)) {
    return "presign/2 Πelog of Γ";
  }
  const { paillier, pedersen } = receiver;
  const stands = (X: Point, { D, F }: Conversion, shown: AffineOperationProof, position: string): boolean =>
    verifyAffineOperation(
      { ...context, position },
      parameters,
      { receiver: paillier, encryption: sender.paillier, C: K, D, Y: F, X, pedersen },
      shown,
    );
  if (!stands(Gamma, pair.nonce, proofs.nonce, "presign/2 D")) return "presign/2 Πaff-g of D";
  return stands(publicShare, pair.key, proofs.key, "presign/2 D^") ? undefined : "presign/2 Πaff-g of D^";
};
