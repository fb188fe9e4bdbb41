import type { OwnAuxiliary } from "../auxiliary/auxiliary-info.ts";
import { type Entropy, sampleUnit } from "../entropy.ts";
import { lift, multiplyBase, sampleScalar } from "../group.ts";
import { encryptOwn } from "../paillier.ts";
import { Secret } from "../secret.ts";
import type { PresignCommitments } from "./messages.ts";

/** The secrets in a signer's commitments of round 1; they are dropped when the session ends. */
export interface CommitmentSecrets {
  /** k_i, lifted */
  readonly k: bigint;
  /** γ_i, lifted */
  readonly gamma: bigint;
  /** the nonce of K */
  readonly rho: bigint;
  /** the nonce of G */
  readonly nu: bigint;
  /** Y = y·G: as secret as a and b; with y, powers of Y become cheaper powers of G */
  readonly y: bigint;
  readonly a: bigint;
  readonly b: bigint;
}

/** The PresignCommitments of round 1 with their secrets. They depend on no session, key or peer. */
export interface Committed {
  /** N_i, the key of K and G */
  readonly n: bigint;
  readonly secrets: CommitmentSecrets;
  readonly commitments: PresignCommitments;
}

/**
 * Samples k and γ, and commits to them (Figure 8, round 1). The result holds a nonce, so only one session may
 * take it (INV-2).
 */
export const prepareCommitments = ({ paillier }: OwnAuxiliary, entropy: Entropy): Secret<Committed> => {
  const { n } = paillier.publicKey;
  const secrets: CommitmentSecrets = {
    k: lift(sampleScalar(entropy)),
    gamma: lift(sampleScalar(entropy)),
    rho: sampleUnit(entropy, n),
    nu: sampleUnit(entropy, n),
    y: sampleScalar(entropy),
    a: sampleScalar(entropy),
    b: sampleScalar(entropy),
  };
  const { k, gamma, rho, nu, y, a, b } = secrets;
  const commitments: PresignCommitments = {
    K: encryptOwn(paillier, k, rho),
    G: encryptOwn(paillier, gamma, nu),
    Y: multiplyBase(y),
    A1: multiplyBase(a),
    A2: multiplyBase(a * y + k),
    B1: multiplyBase(b),
    B2: multiplyBase(b * y + gamma),
  };
  return new Secret({ n, secrets, commitments });
};
