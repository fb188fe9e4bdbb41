import { encode } from "../codec.ts";
import { type Entropy, sampleUnit } from "../entropy.ts";
import { lift, multiply, multiplyBase, samplePoint, sampleScalar } from "../group.ts";
import { encryptOwn } from "../paillier.ts";
import { provePaillierElGamal } from "../proofs/paillier-elgamal.ts";
import type { Outgoing, Start } from "../session/round.ts";
import type { CommitmentSecrets } from "./commitment-secrets.ts";
import { type Commitments, commitmentProofsCodec, commitmentsCodec } from "./messages.ts";
import type { Presignature } from "./presignature.ts";
import { round1 } from "./round1.ts";
import { contextOf, type Peer, type PresignConfig, type PresignRun, presignRun } from "./run.ts";

const commitTo = (run: PresignRun, secrets: CommitmentSecrets, entropy: Entropy): Commitments => {
  const { k, gamma, rho, nu, a, b } = secrets;
  const Y = samplePoint(entropy);
  return {
    K: encryptOwn(run.own.paillier, k, rho),
    G: encryptOwn(run.own.paillier, gamma, nu),
    Y,
    A1: multiplyBase(a),
    A2: multiply(Y, a).add(multiplyBase(k)),
    B1: multiplyBase(b),
    B2: multiply(Y, b).add(multiplyBase(gamma)),
  };
};

const proveTo = (
  run: PresignRun,
  peer: Peer,
  secrets: CommitmentSecrets,
  { K, G, Y, A1, A2, B1, B2 }: Commitments,
  entropy: Entropy,
): Outgoing => {
  const { k, gamma, rho, nu, a, b } = secrets;
  const { paillier } = run.own;
  const common = { encryption: paillier.publicKey, A: Y, pedersen: peer.pedersen };
  const at = (name: string) => contextOf(run, run.self, peer.index, `presign/1 ${name}`);
  const proofs = {
    K: provePaillierElGamal(
      at("K"),
      run.parameters,
      { ...common, C: K, B: A1, X: A2 },
      { x: k, rho, b: a },
      paillier,
      entropy,
    ),
    G: provePaillierElGamal(
      at("G"),
      run.parameters,
      { ...common, C: G, B: B1, X: B2 },
      { x: gamma, rho: nu, b },
      paillier,
      entropy,
    ),
  };
  return { to: peer.index, payload: encode(commitmentProofsCodec(run.parameters), proofs) };
};

/**
 * Presigning (Figure 8; three rounds with echo) among exactly t signers: an ECDSA nonce Γ = γ·G and additive shares
 * of γ^-1 and γ^-1·x, made before the message is known. When the sum of all is wrong, a fourth round finds out why.
 *
 * @returns the start of a run that ends in a Presignature, in a fault that names the peer whose proof (Πenc-elg,
 *   Πelog, Πaff-g), opening or part of the sum does not stand, or in an abort that is nobody's doing, with
 *   probability below 2^-127; after either, nothing of the session may be used again (P15)
 * @throws RangeError when the quorum does not fit the key: a bug of the caller
 */
export const startPresigning = (config: PresignConfig): Start<Presignature> => {
  const run = presignRun(config);
  const { n } = run.own.paillier.publicKey;
  return (entropy) => {
    const secrets: CommitmentSecrets = {
      k: lift(sampleScalar(entropy)),
      gamma: lift(sampleScalar(entropy)),
      rho: sampleUnit(entropy, n),
      nu: sampleUnit(entropy, n),
      a: sampleScalar(entropy),
      b: sampleScalar(entropy),
    };
    const commitments = commitTo(run, secrets, entropy);
    const broadcast: Outgoing = {
      to: "all",
      payload: encode(commitmentsCodec(run.parameters), commitments),
    };
    const proofs = run.peers.map((peer) => proveTo(run, peer, secrets, commitments, entropy));
    return { kind: "next", messages: [broadcast, ...proofs], round: round1(run, secrets, commitments) };
  };
};
