import type { PartyIndex } from "../fault.ts";
import { GENERATOR, invertScalar, multiplyPublic, type Point, scalar, sumPoints } from "../group.ts";
import { Secret } from "../secret.ts";
import type { Envelope } from "../session/envelope.ts";
import type { Step } from "../session/round.ts";
import { abort } from "../session/steps.ts";
import { nonceScalar } from "../sign/nonce-scalar.ts";
import type { Product, Reveal } from "./messages.ts";
import type { NonceShares, Presignature, PublicNonceShares } from "./presignature.ts";
import type { PresignRun } from "./run.ts";

const deltaOf = (reveals: ReadonlyMap<PartyIndex, Reveal>): bigint =>
  scalar([...reveals.values()].reduce((sum, { delta }) => sum + delta, 0n));

/**
 * The joint checks (Figure 8): δ = Σ δ_j is γ·k when δ·G = Σ Δ_j, and Σ χ_j is k·x when δ·X = Σ S_j. They
 * cover all signers together; a dispute finds the signer that made a check fail.
 *
 * @param publicKey X
 * @param reveals of every signer, self included, each with its Πelog verified
 * @returns the product whose check failed; the nonce's when both failed
 */
export const failedProduct = (
  publicKey: Point,
  reveals: ReadonlyMap<PartyIndex, Reveal>,
): Product | undefined => {
  const all = [...reveals.values()];
  const delta = deltaOf(reveals);
  if (!multiplyPublic(GENERATOR, delta).equals(sumPoints(all.map(({ Delta }) => Delta)))) return "nonce";
  return multiplyPublic(publicKey, delta).equals(sumPoints(all.map(({ S }) => S))) ? undefined : "key";
};

/**
 * Output (Figure 8), when both joint checks pass: divides all values by δ. No party causes the remaining
 * aborts: δ = γ·k is zero only for k = 0 (P9), and no party knew k, or Γ, when it committed to its part of
 * them.
 *
 * @param shares k_i and χ_i
 * @param reveals of every signer, self included
 * @param testimony the signed messages of round 3
 */
export const presignatureFrom = (
  run: PresignRun,
  Gamma: Point,
  shares: NonceShares,
  reveals: ReadonlyMap<PartyIndex, Reveal>,
  testimony: readonly Envelope[],
): Step<Presignature> => {
  const delta = deltaOf(reveals);
  if (delta === 0n) return abort("presign/3 δ is zero");
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
      testimony,
      secret: new Secret({ k: scalar(shares.k * inverse), chi: scalar(shares.chi * inverse) }),
    },
  };
};
