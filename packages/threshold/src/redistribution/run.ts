import { type GroupPoint, multiplyKnown } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare, PublicKeyInfo } from "../keygen/key-share.ts";
import type { Refusal } from "../keygen/run.ts";
import type { SessionId } from "../session/envelope.ts";
import type { ProofContext } from "../transcript.ts";

/**
 * What all rounds of one redistribution know. Holders of a key's old shares deal, receivers end with new ones, and the
 * key stays what it is (Desmedt and Jajodia, 1997; with Feldman's checks, Wong, Wang and Wing, 2002).
 */
export interface RedistributionRun<P extends GroupPoint<P>> {
  /** leads the name of every check */
  readonly protocol: "refresh" | "reshare" | "import";
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** dealers and receivers; ascending, distinct, self included */
  readonly parties: readonly PartyIndex[];
  /** the key as it is, for all parties the same: the session id binds it (key-digest.ts) */
  readonly old: PublicKeyInfo<P>;
  /** w_i of every dealer, ascending: g_i(0) = w_i·x_i, which is 0 in a refresh and λ_i·x_i in a reshare */
  readonly weights: ReadonlyMap<PartyIndex, bigint>;
  /** whether what is dealt is added to the receivers' old shares, as in a refresh */
  readonly addsToOld: boolean;
  /** who will hold a share; ascending, distinct */
  readonly receivers: readonly PartyIndex[];
  /** t of the new shares, from 2 to the number of receivers */
  readonly threshold: number;
}

/** How a redistribution ends for one party. */
export type Redistributed<P extends GroupPoint<P>> =
  | { readonly kind: "holder"; readonly share: KeyShare<P> }
  /** dealt, and is no receiver: holds nothing of the new epoch but what is public */
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
export const newEpoch = <P extends GroupPoint<P>>({ old }: RedistributionRun<P>): number => old.epoch + 1;

export const publicShareOf = <P extends GroupPoint<P>>(info: PublicKeyInfo<P>, party: PartyIndex): P => {
  const share = info.publicShares.get(party);
  if (share === undefined) throw new Error(`party ${party} holds no share of the key`);
  return share;
};

/** g_i(0)·G = w_i·X_i: known to all before anybody deals, so no message has a place for another. */
export const constantOf = <P extends GroupPoint<P>>(run: RedistributionRun<P>, dealer: PartyIndex): P =>
  multiplyKnown(run.old.scheme.curve, publicShareOf(run.old, dealer), run.weights.get(dealer) ?? 0n);

/** Where ψ_j stands: one proof for all verifiers. */
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

export const accuse = <P extends GroupPoint<P>>(
  { protocol }: RedistributionRun<P>,
  culprit: PartyIndex,
  check: string,
): Refusal => ({ kind: "fault", accusation: { culprit, check: `${protocol}/${check}` } });
