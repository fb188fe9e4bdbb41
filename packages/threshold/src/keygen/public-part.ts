import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { jointRandomness } from "../opening.ts";
import { evaluateCommitment, sumCommitments } from "../sharing/feldman.ts";
import type { KeyOpening } from "./opening.ts";
import type { DealtKey } from "./round3.ts";
import type { KeyGenerationRun } from "./run.ts";

/** The public part of a dealt key, which anybody can compute from the openings of all parties. */
export type DealtPublic<P> = Omit<DealtKey<P>, "secretShare">;

/**
 * X_j = F(j) with F = Σ F_j; Y = F(0); rid and c are the exclusive-or of the parties' contributions.
 *
 * @param openings of all parties, ascending
 */
export const publicPartOf = <P extends GroupPoint<P>>(
  { scheme: { curve }, parties }: Pick<KeyGenerationRun<P>, "scheme" | "parties">,
  openings: ReadonlyMap<PartyIndex, KeyOpening<P>>,
): DealtPublic<P> => {
  const all = [...openings.values()];
  const sum = sumCommitments(
    curve,
    all.map(({ polynomial }) => polynomial),
  );
  return {
    publicKey: sum[0] ?? curve.identity,
    publicShares: new Map(parties.map((party) => [party, evaluateCommitment(curve, sum, party)])),
    rid: jointRandomness(all.map(({ rid }) => rid)),
    chainCode: jointRandomness(all.map(({ chainCode }) => chainCode)),
    schnorr: new Map([...openings].map(([party, { schnorr }]) => [party, schnorr])),
  };
};
