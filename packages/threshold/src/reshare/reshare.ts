import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { PublicKeyInfo } from "../keygen/key-share.ts";
import { startRedistribution } from "../redistribution/redistribution.ts";
import type { Redistributed, RedistributionRun } from "../redistribution/run.ts";
import type { Secret } from "../secret.ts";
import type { SessionId } from "../session/envelope.ts";
import type { Start } from "../session/round.ts";
import { lagrangeAtZero } from "../sharing/lagrange.ts";

/** What startReshare needs. */
export interface ReshareConfig<P extends GroupPoint<P>> {
  /** binds keyDigest(info), dealers, receivers and the new threshold, so that parties told different things never meet */
  readonly session: SessionId;
  readonly self: PartyIndex;
  /**
   * The key as it is. Whoever holds no share may have it from anybody, decoded by publicKeyInfoCodec and compared with
   * the public key that the request authorises: a liar's public shares give another session id, where no dealer is.
   */
  readonly info: PublicKeyInfo<P>;
  /** x_i, of a dealer */
  readonly secretShare?: Secret<bigint>;
  /** exactly t holders, ascending */
  readonly dealers: readonly PartyIndex[];
  /** who will hold a share, old holders or not, ascending */
  readonly receivers: readonly PartyIndex[];
  /** t of the new shares */
  readonly threshold: number;
}

/** The dealers' λ_i·x_i add up to the key; each deals its own out. */
export const reshareRun = <P extends GroupPoint<P>>(config: ReshareConfig<P>): RedistributionRun<P> => {
  const { session, self, info, dealers, receivers, threshold } = config;
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
  };
};

/**
 * Resharing (Desmedt and Jajodia, 1997; verified as by Wong, Wang and Wing, 2002): t holders give a new set of parties
 * new shares of the same key, under a threshold of their own. The parties of the session are dealers and receivers.
 * It adds and removes members, moves t, and gives a signer that lost its disk a share again.
 *
 * Old and new shares do not mix, yet t old ones are the key as before: the old holders destroy theirs, as after a
 * refresh, once every receiver has said that its new share is durable. A member who is removed and keeps its share is
 * one of the t-1 that an adversary may hold.
 *
 * @returns the start of a run that ends in a KeyShare of the next epoch for receivers, and without one for dealers who
 *   are none; in a fault that names the peer whose commitment, share, proof or confirmation does not stand; or, with
 *   negligible probability, in an abort
 * @throws RangeError when the configuration is unfit: a bug of ours
 */
export const startReshare = <P extends GroupPoint<P>>(config: ReshareConfig<P>): Start<Redistributed<P>> =>
  startRedistribution(reshareRun(config), config.secretShare);
