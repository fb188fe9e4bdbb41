import type { PartyIndex } from "../fault.ts";
import { GENERATOR, invertScalar, multiplyPublic, type Point, scalar, sumPoints } from "../group.ts";
import { Secret } from "../secret.ts";
import type { Step } from "../session/round.ts";
import { nonceScalar } from "../sign/nonce-scalar.ts";
import type { Reveal } from "./messages.ts";
import type { NonceShares, Presignature, PublicNonceShares } from "./presignature.ts";
import { abort, type PresignRun } from "./run.ts";

/**
 * Output (Figure 8): δ = Σ δ_j with δ ≠ 0, δ·G = Σ Δ_j and δ·X = Σ S_j; then everything is divided by δ.
 * These checks bind all signers together and so name nobody; whoever fails them burns the session (P15).
 *
 * @param shares k_i and χ_i
 * @param reveals of every signer, self included, each with its Πelog verified
 */
export const presignatureFrom = (
  run: PresignRun,
  Gamma: Point,
  shares: NonceShares,
  reveals: ReadonlyMap<PartyIndex, Reveal>,
): Step<Presignature> => {
  const all = [...reveals.values()];
  const delta = scalar(all.reduce((sum, reveal) => sum + reveal.delta, 0n));
  if (delta === 0n) return abort("presign/3 δ is zero"); // P9
  if (!multiplyPublic(GENERATOR, delta).equals(sumPoints(all.map((reveal) => reveal.Delta)))) {
    return abort("presign/3 δ·G = Σ Δ_j");
  }
  if (!multiplyPublic(run.key.publicKey, delta).equals(sumPoints(all.map((reveal) => reveal.S)))) {
    return abort("presign/3 δ·X = Σ S_j");
  }
  if (nonceScalar(Gamma) === undefined) return abort("presign/3 x(Γ) is no nonce");

  const inverse = invertScalar(delta);
  const publics = new Map<PartyIndex, PublicNonceShares>();
  for (const signer of run.signers) {
    const reveal = reveals.get(signer);
    if (reveal === undefined) throw new Error("round 3 keeps the reveal of every signer");
    publics.set(signer, {
      k: multiplyPublic(reveal.Delta, inverse),
      chi: multiplyPublic(reveal.S, inverse),
    });
  }
  return {
    kind: "output",
    output: {
      session: run.session,
      self: run.self,
      signers: run.signers,
      keyId: run.key.keyId,
      epoch: run.key.epoch,
      publicKey: run.key.publicKey,
      Gamma,
      publics,
      secret: new Secret({ k: scalar(shares.k * inverse), chi: scalar(shares.chi * inverse) }),
    },
  };
};
