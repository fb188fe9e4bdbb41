import { type GroupPoint, multiplyGenerator, scalarOf } from "../curve.ts";
import type { Entropy } from "../entropy.ts";
import { RANDOMIZER_BYTES } from "../opening.ts";
import type { Secret } from "../secret.ts";
import type { Start } from "../session/round.ts";
import { commitTo } from "../sharing/feldman.ts";
import { samplePolynomial } from "../sharing/polynomial.ts";
import { dealingCommitment, NOTHING } from "./messages.ts";
import type { Dealing } from "./own-part.ts";
import { round1 } from "./round1.ts";
import { newEpoch, publicShareOf, type Redistributed, type RedistributionRun } from "./run.ts";

const EPOCH_MAX = 2 ** 32 - 1; // its encoding has four bytes

const isAscending = (indices: readonly number[]): boolean =>
  indices.every((index, at) => at === 0 || index > (indices[at - 1] ?? index));

const requireFit = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  secretShare: Secret<bigint> | undefined,
): void => {
  const { self, parties, old, weights, receivers, threshold } = run;
  const dealers = [...weights.keys()];
  if (!isAscending(dealers) || !isAscending(receivers)) {
    throw new RangeError("dealers and receivers are ascending and distinct");
  }
  if (!parties.includes(self)) throw new RangeError("we neither deal nor receive");
  if (!dealers.every((dealer) => old.parties.includes(dealer))) {
    throw new RangeError("a dealer holds no share of the key");
  }
  const isThreshold = Number.isInteger(threshold) && threshold >= 2 && threshold <= receivers.length;
  if (!isThreshold)
    throw new RangeError(`a threshold of ${threshold} does not fit ${receivers.length} receivers`);
  if (newEpoch(run) > EPOCH_MAX) throw new RangeError("the key has no further epoch");
  if (!Number.isInteger(newEpoch(run)) || newEpoch(run) <= old.epoch) {
    throw new RangeError("new shares are of a later epoch than the old ones");
  }
  if (weights.has(self)) requireOwnShare(run, secretShare);
};

/** Requires that our share is intact: dealing a share that its store corrupted, we would be named as a cheat. */
const requireOwnShare = <P extends GroupPoint<P>>(
  { old, self }: RedistributionRun<P>,
  secretShare: Secret<bigint> | undefined,
): void => {
  if (secretShare === undefined) throw new RangeError("a dealer needs its share of the key");
  const point = multiplyGenerator(old.scheme.curve, secretShare.reveal());
  if (!publicShareOf(old, self).equals(point)) throw new RangeError("our share is not that of the key");
};

/** Samples g_i of degree t-1 with g_i(0) = w_i·x_i. */
const dealingOf = <P extends GroupPoint<P>>(
  { old, threshold }: RedistributionRun<P>,
  constant: bigint,
  entropy: Entropy,
): Dealing<P> => {
  const { curve } = old.scheme;
  const coefficients = samplePolynomial(curve, threshold - 1, entropy);
  const opening = { coefficients: commitTo(curve, coefficients), mask: entropy(RANDOMIZER_BYTES) };
  return { polynomial: [scalarOf(curve, constant), ...coefficients], opening };
};

/**
 * Starts the four rounds that refresh, reshare and import have in common: commit with echo, open and deal
 * (Feldman), prove, confirm with echo.
 *
 * @param secretShare x_i of a dealer. It is read, not taken: it stays in use until the caller commits to the
 * new epoch
 * @throws RangeError when the run is invalid: a bug of ours
 */
export const startRedistribution = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  secretShare: Secret<bigint> | undefined,
): Start<Redistributed<P>> => {
  requireFit(run, secretShare);
  return (entropy) => {
    const x = secretShare?.reveal() ?? 0n;
    const weight = run.weights.get(run.self);
    const dealing = weight === undefined ? undefined : dealingOf(run, weight * x, entropy);
    const payload = dealing === undefined ? NOTHING : dealingCommitment(run, run.self, dealing.opening);
    const own = { kept: run.addsToOld ? x : 0n, dealing };
    return { kind: "next", messages: [{ to: "all", payload }], round: round1(run, own) };
  };
};
