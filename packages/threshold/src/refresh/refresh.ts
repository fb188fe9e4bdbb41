import type { GroupPoint } from "../curve.ts";
import { type KeyShare, keyMaterial } from "../keygen/key-share.ts";
import { startRedistribution } from "../redistribution/redistribution.ts";
import type { RedistributionRun } from "../redistribution/run.ts";
import type { SessionId } from "../session/envelope.ts";
import { mapOutput } from "../session/map-output.ts";
import type { Start } from "../session/round.ts";
import { withMaterial } from "../session/with-material.ts";

/** The configuration of startRefresh. */
export interface RefreshConfig<P extends GroupPoint<P>> {
  /** binds keyDigest(key.info), so that holders of different epochs are never in one session */
  readonly session: SessionId;
  /** our current share. It determines the participants and t, which are not configurable */
  readonly key: KeyShare<P>;
  /** of the new shares, above the old epoch; absent: the old one plus 1 */
  readonly nextEpoch?: number;
}

/** A redistribution in which every holder deals zero to every holder. */
export const refreshRun = <P extends GroupPoint<P>>({
  session,
  key,
  ...later
}: Omit<RefreshConfig<P>, "key"> & {
  readonly key: Pick<KeyShare<P>, "self" | "info">;
}): RedistributionRun<P> => {
  const { self, info } = key;
  const { parties, threshold } = info;
  const weights = new Map(parties.map((party) => [party, 0n]));
  return {
    protocol: "refresh",
    session,
    self,
    parties,
    old: info,
    weights,
    addsToOld: true,
    receivers: parties,
    threshold,
    ...later,
  };
};

/**
 * Starts a key refresh (Herzberg et al., 1995; LFDT's cggmp24-key-refresh): every holder deals shares of
 * zero, and each adds the shares that it receives to its own. The key stays the same; old and new shares do
 * not combine, so shares stolen in one epoch are worthless in the next. Needs every holder: a holder that
 * misses it has a useless share and needs a reshare. t stays the same: adding shares of a smaller t to the
 * old ones would not lower t, only leak (the flaw that ZF's frost-core 2.2.0 fixed).
 *
 * New auxiliary info has a session of its own, because it serves all keys: startAuxiliaryGeneration.
 *
 * The old share is read, not taken. The caller commits in this order: make the new share durable; wait until
 * every holder has confirmed that its own is durable; use the new share, and destroy the old one, its copies
 * and all presignatures of its epoch. Until then the old epoch signs.
 *
 * @returns the start of a run that ends in a KeyShare of the next epoch; in a fault that names the peer whose
 * commitment, share, proof or confirmation fails; or, with negligible probability, in an abort
 * @throws RangeError when the share is invalid: a bug of ours
 */
export const startRefresh = <P extends GroupPoint<P>>(config: RefreshConfig<P>): Start<KeyShare<P>> => {
  const { info, secretShare } = config.key;
  const start = startRedistribution(refreshRun(config), secretShare);
  return mapOutput(
    withMaterial(start, () => keyMaterial(info)),
    (output) => {
      if (output.kind === "released") throw new Error("a refresh releases nobody");
      return output.share;
    },
  );
};
