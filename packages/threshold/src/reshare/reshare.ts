import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { keyMaterial, type PublicKeyInfo } from "../keygen/key-share.ts";
import { startRedistribution } from "../redistribution/redistribution.ts";
import type { Redistributed, RedistributionRun } from "../redistribution/run.ts";
import type { Secret } from "../secret.ts";
import type { SessionId } from "../session/envelope.ts";
import type { Start } from "../session/round.ts";
import { withMaterial } from "../session/with-material.ts";
import { lagrangeAtZero } from "../sharing/lagrange.ts";

/** The configuration of startReshare. */
export interface ReshareConfig<P extends GroupPoint<P>> {
  /** binds keyDigest(info), dealers, receivers and the new t, so that parties with different values are never in one session */
  readonly session: SessionId;
  readonly self: PartyIndex;
  /**
   * The current public part of the key. A party without a share may get it from any source, decode it by
   * publicKeyInfoCodec and compare it with the public key that the request authorises: with false public
   * shares, its session id would differ, and no dealer would be in that session.
   */
  readonly info: PublicKeyInfo<P>;
  /** x_i; dealers only */
  readonly secretShare?: Secret<bigint>;
  /** exactly t holders, ascending */
  readonly dealers: readonly PartyIndex[];
  /** the holders of the new shares, old holders or not, ascending */
  readonly receivers: readonly PartyIndex[];
  /** t of the new shares */
  readonly threshold: number;
  /** of the new shares, above the old epoch; absent: the old one plus 1 */
  readonly nextEpoch?: number;
}

/** A redistribution in which each dealer deals its λ_i·x_i; their sum is the key. */
export const reshareRun = <P extends GroupPoint<P>>(config: ReshareConfig<P>): RedistributionRun<P> => {
  const { session, self, info, dealers, receivers, threshold, nextEpoch } = config;
  if (dealers.length !== info.threshold) {
    throw new RangeError(`exactly ${info.threshold} deal, not ${dealers.length}`);
  }
  const lambda = lagrangeAtZero(info.scheme.curve, dealers);
  const weights = new Map(dealers.map((dealer, at) => [dealer, lambda[at] ?? 0n]));
  const parties = [...new Set([...dealers, ...receivers])].sort((a, b) => a - b);
  return {
    protocol: "reshare",
    session,
    self,
    parties,
    old: info,
    weights,
    addsToOld: false,
    receivers,
    threshold,
    ...(nextEpoch === undefined ? {} : { nextEpoch }),
  };
};

/**
 * Starts a resharing (Desmedt and Jajodia, 1997; verified as by Wong, Wang and Wing, 2002): t holders deal
 * new shares of the same key to a new set of parties, with a threshold of its own. The parties of the session
 * are dealers and receivers. A reshare adds and removes members, changes t, and restores the share of a
 * signer that lost its disk.
 *
 * Old and new shares do not combine, but t old ones still determine the key: the old holders destroy theirs,
 * as after a refresh, once every receiver has confirmed that its new share is durable. A removed member that
 * keeps its share counts as one of the t-1 that an adversary may hold.
 *
 * @returns the start of a run that ends in a KeyShare of the next epoch for receivers, and without one for
 * dealers that do not receive; in a fault that names the peer whose commitment, share, proof or confirmation
 * fails; or, with negligible probability, in an abort
 * @throws RangeError when the configuration is invalid: a bug of ours
 */
export const startReshare = <P extends GroupPoint<P>>(config: ReshareConfig<P>): Start<Redistributed<P>> =>
  withMaterial(startRedistribution(reshareRun(config), config.secretShare), () => keyMaterial(config.info));
