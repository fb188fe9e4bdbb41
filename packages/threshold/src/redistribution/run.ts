import { type GroupPoint, multiplyKnown } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare, PublicKeyInfo } from "../keygen/key-share.ts";
import type { SessionId } from "../session/envelope.ts";
import { accuse, type FaultStep } from "../session/steps.ts";
import type { ProofContext } from "../transcript.ts";

/**
 * The parameters of one redistribution, known to all its rounds. Holders of old shares of a key deal,
 * receivers get new shares, and the key stays the same (Desmedt and Jajodia, 1997; with Feldman's checks,
 * Wong, Wang and Wing, 2002).
 */
export interface RedistributionRun<P extends GroupPoint<P>> {
  /** prefix of the name of every check */
  readonly protocol: "refresh" | "reshare" | "import";
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** dealers and receivers; ascending, distinct, self included */
  readonly parties: readonly PartyIndex[];
  /** the old public part of the key, the same for all parties, since the session id binds it (key-digest.ts) */
  readonly old: PublicKeyInfo<P>;
  /** w_i of every dealer, ascending: g_i(0) = w_i·x_i, which is 0 in a refresh and λ_i·x_i in a reshare */
  readonly weights: ReadonlyMap<PartyIndex, bigint>;
  /** whether dealt shares are added to the receivers' old shares, as in a refresh */
  readonly addsToOld: boolean;
  /** the holders of the new shares; ascending, distinct */
  readonly receivers: readonly PartyIndex[];
  /** t of the new shares, from 2 to the number of receivers */
  readonly threshold: number;
  /**
   * of the new shares, above the old epoch; absent: the old one plus 1. Failed attempts have used up the
   * epochs between
   */
  readonly nextEpoch?: number;
}

/** The outcome of a redistribution for one party. */
export type Redistributed<P extends GroupPoint<P>> =
  | { readonly kind: "holder"; readonly share: KeyShare<P> }
  /** the party dealt and does not receive: it gets only the public part of the new epoch */
  | { readonly kind: "released"; readonly info: PublicKeyInfo<P> };

export const isDealer = <P extends GroupPoint<P>>(
  { weights }: RedistributionRun<P>,
  party: PartyIndex,
): boolean => weights.has(party);

export const isReceiver = <P extends GroupPoint<P>>(
  { receivers }: RedistributionRun<P>,
  party: PartyIndex,
): boolean => receivers.includes(party);

/** The epoch of the new shares. */
export const newEpoch = <P extends GroupPoint<P>>({
  old,
  nextEpoch = old.epoch + 1,
}: RedistributionRun<P>): number => nextEpoch;

/** X_j. @throws Error when the party holds no share: a bug of ours */
export const publicShareOf = <P extends GroupPoint<P>>(info: PublicKeyInfo<P>, party: PartyIndex): P => {
  const share = info.publicShares.get(party);
  if (share === undefined) throw new Error(`party ${party} holds no share of the key`);
  return share;
};

/** g_i(0)·G = w_i·X_i: all parties know it before the dealing, so no message contains it. */
export const constantOf = <P extends GroupPoint<P>>(run: RedistributionRun<P>, dealer: PartyIndex): P =>
  multiplyKnown(run.old.scheme.curve, publicShareOf(run.old, dealer), run.weights.get(dealer) ?? 0n);

/** The context of ψ_j: one proof for all verifiers. */
export const shareContext = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  prover: PartyIndex,
): ProofContext => ({
  session: run.session,
  epoch: newEpoch(run),
  prover,
  verifier: "all",
  position: `${run.protocol}/3 Πsch`,
});

/** Accuses a peer of a failed check, such as "2 opening of V", under the name of the protocol. */
export const accuseIn = <P extends GroupPoint<P>>(
  { protocol }: RedistributionRun<P>,
  culprit: PartyIndex,
  check: string,
): FaultStep => accuse(culprit, `${protocol}/${check}`);
