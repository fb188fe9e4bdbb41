import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare, PublicKeyInfo } from "../keygen/key-share.ts";
import { startRedistribution } from "../redistribution/redistribution.ts";
import type { RedistributionRun } from "../redistribution/run.ts";
import { mapOutput } from "../session/map-output.ts";
import type { Start } from "../session/round.ts";
import { interpolatePoint, lagrangeAtZero } from "../sharing/lagrange.ts";
import type { ImportedShare } from "./plaintext.ts";
import { type ImportRun, positionOf } from "./run.ts";

/**
 * The public part of the imported key by party, with shares still at the client's positions. No key share is
 * made from it.
 */
const asDealt = <P extends GroupPoint<P>>(
  run: ImportRun<P>,
  publicShares: readonly P[],
  chainCode: Uint8Array,
): PublicKeyInfo<P> => {
  const { scheme, keyId, threshold, parties, epoch } = run;
  const { curve } = scheme;
  const publicShareOf = (party: PartyIndex): P => publicShares[positionOf(run, party) - 1] ?? curve.identity;
  const quorum = new Map(publicShares.slice(0, threshold).map((point, at) => [at + 1, point]));
  return {
    scheme,
    keyId,
    threshold,
    parties,
    publicKey: interpolatePoint(curve, quorum, 0),
    publicShares: new Map(parties.map((party) => [party, publicShareOf(party)])),
    chainCode,
    epoch: epoch - 1,
  };
};

/**
 * The redistribution that deals an imported key anew: a reshare from the client's positions to the cluster's indices. Party i
 * holds x_i at its position and deals λ_i·x_i, with λ over all positions; all n deal.
 */
export const redealRun = <P extends GroupPoint<P>>(
  run: ImportRun<P>,
  publicShares: readonly P[],
  chainCode: Uint8Array,
): RedistributionRun<P> => {
  const { session, self, parties, threshold, scheme } = run;
  const lambda = lagrangeAtZero(
    scheme.curve,
    parties.map((party) => positionOf(run, party)),
  );
  return {
    protocol: "import",
    session,
    self,
    parties,
    old: asDealt(run, publicShares, chainCode),
    weights: new Map(parties.map((party, at) => [party, lambda[at] ?? 0n])),
    addsToOld: false,
    receivers: parties,
    threshold,
  };
};

/**
 * Deals an imported key anew. The new shares are at the parties' own indices; the client knows every old x_i,
 * but none of the new shares.
 *
 * @param share our own; all parties agreed on its public shares
 * @param chainCode 32 bytes, agreed on
 */
export const redeal = <P extends GroupPoint<P>>(
  run: ImportRun<P>,
  { publicShares, secretShare }: ImportedShare<P>,
  chainCode: Uint8Array,
): Start<KeyShare<P>> =>
  mapOutput(startRedistribution(redealRun(run, publicShares, chainCode), secretShare), (output) => {
    if (output.kind === "released") throw new Error("every dealer of an imported key receives");
    return output.share;
  });
