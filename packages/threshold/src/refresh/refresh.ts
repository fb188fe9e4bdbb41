import type { GroupPoint } from "../curve.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import { startRedistribution } from "../redistribution/redistribution.ts";
import type { RedistributionRun } from "../redistribution/run.ts";
import type { SessionId } from "../session/envelope.ts";
import { mapOutput } from "../session/map-output.ts";
import type { Start } from "../session/round.ts";

/** What startRefresh needs. */
export interface RefreshConfig<P extends GroupPoint<P>> {
  /** binds keyDigest(key.info), so that holders of different epochs never meet */
  readonly session: SessionId;
  /** our share as it is. Who takes part, and t, follow from it and cannot be said otherwise */
  readonly key: KeyShare<P>;
}

/** Every holder deals zero to every holder. */
export const refreshRun = <P extends GroupPoint<P>>({
  session,
  key,
}: RefreshConfig<P>): RedistributionRun<P> => {
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
  };
};

/**
 * Key refresh (Herzberg et al., 1995; LFDT's cggmp24-key-refresh): every holder deals shares of zero, which all add to
 * theirs. The key stays; old and new shares do not mix, so what was stolen of an epoch is worth nothing in the next.
 * Needs every holder: whoever misses it holds a useless share and needs a reshare. t stays what it is: shares of a
 * smaller t added to the old ones would not lower it, only leak (the flaw that ZF's frost-core 2.2.0 mended).
 *
 * New auxiliary info is a session of its own, for it serves all keys: startAuxiliaryGeneration.
 *
 * The old share is read, not taken. The caller commits, in this order: the new share durable, then every holder's word
 * that its own is, then the new one in use and the old one, its copies and all presignatures of its epoch destroyed.
 * Until then the old epoch signs.
 *
 * @returns the start of a run that ends in a KeyShare of the next epoch; in a fault that names the peer whose
 *   commitment, share, proof or confirmation does not stand; or, with negligible probability, in an abort
 * @throws RangeError when the share is unfit: a bug of ours
 */
export const startRefresh = <P extends GroupPoint<P>>(config: RefreshConfig<P>): Start<KeyShare<P>> =>
  mapOutput(startRedistribution(refreshRun(config), config.key.secretShare), (output) => {
    if (output.kind === "released") throw new Error("a refresh releases nobody");
    return output.share;
  });
