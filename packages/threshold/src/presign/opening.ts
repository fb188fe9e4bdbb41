import { nthRoot } from "../arithmetic/factored.ts";
import { scalar } from "../group.ts";
import { decrypt } from "../paillier.ts";
import type { CommitmentSecrets } from "./commitment-secrets.ts";
import { ciphertextFor, offsetFor } from "./judgement.ts";
import type { Conversions, DisputeOpening, Product } from "./messages.ts";
import type { PresignRun } from "./run.ts";

/**
 * Our opening in a dispute. The randomness of a ciphertext is the N-th root of its residue mod N, which the
 * owner of N's factors can compute: (1 + α·N)·u^N = u^N mod N. So this party can open the ciphertexts that
 * others made for it (D), and those that it made under its own key (F), without having kept their randomness.
 *
 * @param conversions of every signer; they passed our checks of round 2
 */
export const openingOf = (
  run: PresignRun,
  { k, gamma }: Pick<CommitmentSecrets, "k" | "gamma">,
  conversions: ReadonlyMap<number, Conversions>,
  product: Product,
): DisputeOpening => {
  const { paillier } = run.own;
  return {
    k: scalar(k),
    gamma: scalar(gamma),
    plaintexts: run.peers.map(({ index }) => {
      const D = ciphertextFor(run.signers, conversions, index, run.self, product);
      return { alpha: decrypt(paillier, D), root: nthRoot(paillier.factors, D) };
    }),
    offsets: run.peers.map(({ index }) => {
      const F = offsetFor(run.signers, conversions, run.self, index);
      return { alpha: decrypt(paillier, F), root: nthRoot(paillier.factors, F) };
    }),
  };
};
