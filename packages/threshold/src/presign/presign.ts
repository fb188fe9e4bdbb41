import { publicAuxiliaryCodec } from "../auxiliary/public-auxiliary.ts";
import { encode } from "../codec.ts";
import type { Entropy } from "../entropy.ts";
import { keyMaterial } from "../keygen/key-share.ts";
import { preparePaillierElGamal, provePaillierElGamal } from "../proofs/paillier-elgamal.ts";
import type { Material } from "../session/material.ts";
import type { Outgoing, Start } from "../session/round.ts";
import { withMaterial } from "../session/with-material.ts";
import { type Committed, prepareCommitments } from "./commitment-secrets.ts";
import { commitmentProofsCodec, commitmentsCodec } from "./messages.ts";
import type { Presignature } from "./presignature.ts";
import { round1 } from "./round1.ts";
import { contextOf, type Peer, type PresignConfig, type PresignRun, presignRun } from "./run.ts";

const proveTo = (
  run: PresignRun,
  peer: Peer,
  { secrets, commitments }: Committed,
  entropy: Entropy,
): Outgoing => {
  const { k, gamma, rho, nu, y, a, b } = secrets;
  const { K, G, Y, A1, A2, B1, B2 } = commitments;
  const { paillier } = run.own;
  const prepared = () => preparePaillierElGamal(run.parameters, paillier, peer.pedersen, entropy);
  const [maskOfK = prepared(), maskOfG = prepared()] = run.masks.peers.get(peer.index)?.proofs ?? [];
  const common = { encryption: paillier.publicKey, A: Y, pedersen: peer.pedersen };
  const at = (name: string) => contextOf(run, run.self, peer.index, `presign/1 ${name}`);
  const proofs = {
    K: provePaillierElGamal(
      at("K"),
      run.parameters,
      { ...common, C: K, B: A1, X: A2 },
      { x: k, rho, a: y, b: a },
      paillier,
      maskOfK,
    ),
    G: provePaillierElGamal(
      at("G"),
      run.parameters,
      { ...common, C: G, B: B1, X: B2 },
      { x: gamma, rho: nu, a: y, b },
      paillier,
      maskOfG,
    ),
  };
  return { to: peer.index, payload: encode(commitmentProofsCodec(run.parameters), proofs) };
};

/**
 * Starts presigning (Figure 8; three rounds with echo) among exactly t signers: it computes an ECDSA nonce Γ
 * = γ·G and additive shares of γ^-1 and γ^-1·x, before the message is known. When a joint check fails, a
 * fourth round finds the culprit.
 *
 * @returns the start of a run that ends in a Presignature; in a fault that names the peer whose proof
 * (Πenc-elg, Πelog, Πaff-g), opening or part of the sum fails; or, with probability below 2^-127, in an abort
 * that no party caused. After a fault or an abort, nothing of the session may be used again (P15)
 * @throws RangeError when the quorum does not fit the key, or a mask does not fit the moduli: a bug of the
 * caller
 */
export const startPresigning = (config: PresignConfig): Start<Presignature> => {
  const run = presignRun(config);
  const material = (): Material => ({
    ...keyMaterial(run.key),
    auxiliary: encode(publicAuxiliaryCodec(run.parameters), config.auxiliary),
  });
  const start: Start<Presignature> = (entropy) => {
    const committed = (run.masks.commitments ?? prepareCommitments(run.own, entropy)).take();
    if (committed.n !== run.own.paillier.publicKey.n) throw new RangeError("commitments under another key");
    const broadcast: Outgoing = {
      to: "all",
      payload: encode(commitmentsCodec(run.parameters), committed.commitments),
    };
    const proofs = run.peers.map((peer) => proveTo(run, peer, committed, entropy));
    return { kind: "next", messages: [broadcast, ...proofs], round: round1(run, committed) };
  };
  return withMaterial(start, material);
};
