import { type Entropy, sampleBelow, sampleUnit } from "../entropy.ts";
import { RANDOMIZER_BYTES } from "../opening.ts";
import { paillierSecretKey } from "../paillier.ts";
import { proveRingPedersen } from "../proofs/ring-pedersen-parameters.ts";
import { type OwnRingPedersen, ownRingPedersen } from "../ring-pedersen.ts";
import type { Secret } from "../secret.ts";
import type { Start } from "../session/round.ts";
import type { AuxiliaryInfo, OwnAuxiliary } from "./auxiliary-info.ts";
import { type AuxiliaryPrimes, requireAuxiliaryPrimes } from "./auxiliary-primes.ts";
import { type AuxiliaryOpening, auxiliaryCommitment } from "./opening.ts";
import { round1 } from "./round1.ts";
import { type AuxiliaryRun, parametersContext } from "./run.ts";

/** The configuration of startAuxiliaryGeneration. */
interface AuxiliaryConfig extends AuxiliaryRun {
  /** fresh for this run, of parameters.primeBits bits each; the start takes them, since one run alone may use them */
  readonly primes: Secret<AuxiliaryPrimes>;
}

/** Samples parameters: t = r² mod N^ for random r, s = t^λ mod N^ for random λ below φ(N^). */
const makeRingPedersen = ({ pHat, qHat }: AuxiliaryPrimes, entropy: Entropy): OwnRingPedersen => {
  const n = pHat * qHat;
  const phi = (pHat - 1n) * (qHat - 1n);
  const root = sampleUnit(entropy, n);
  return ownRingPedersen(pHat, qHat, (root * root) % n, sampleBelow(entropy, phi));
};

/**
 * Starts auxiliary generation (Figure 7; three rounds, the first with echo): every party gets a Paillier key
 * and ring-Pedersen parameters, and proves to all others that they are sound. Independent of any key; needs
 * every party.
 *
 * @param config the session, the parties (ascending), the security level, and our primes
 * @returns the start of a run that ends in AuxiliaryInfo, or in a fault that names the peer whose commitment,
 * moduli or proofs (Πprm, Πmod, Πfac) fail
 * @throws Error when our own primes are not as AuxiliaryPrimes requires: a bug of ours
 */
export const startAuxiliaryGeneration =
  (config: AuxiliaryConfig): Start<AuxiliaryInfo> =>
  (entropy) => {
    const { primes, ...run } = config;
    const ours = primes.take();
    requireAuxiliaryPrimes(run.parameters, ours);
    const pedersen = makeRingPedersen(ours, entropy);
    const own: OwnAuxiliary = { paillier: paillierSecretKey(ours.p, ours.q), pedersen };
    const context = parametersContext(run, run.self);
    const opening: AuxiliaryOpening = {
      n: own.paillier.publicKey.n,
      nHat: pedersen.parameters.n,
      s: pedersen.parameters.s,
      t: pedersen.parameters.t,
      proof: proveRingPedersen(context, run.parameters, pedersen, entropy),
      rho: entropy(RANDOMIZER_BYTES),
      mask: entropy(RANDOMIZER_BYTES),
    };
    const payload = auxiliaryCommitment(run, run.self, opening);
    return { kind: "next", messages: [{ to: "all", payload }], round: round1(run, own, opening) };
  };
