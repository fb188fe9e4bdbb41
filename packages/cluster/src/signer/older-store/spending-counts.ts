import type { PartyIndex } from "@conclave/threshold";

/**
 * The counts by which a signer finds out that its store is an old copy: a backup, a snapshot, a clone. Each signer
 * counts what it releases: presignatures, signatures that bind a request, keys that it hands over. It signs the count
 * and sends it to all others, ahead of the partial signature. After a start it asks them. A peer that shows it a higher
 * count with its own signature proves that the store is old. Then the signer alerts an operator, burns its pool, as a
 * twin of this process may have spent it too (P6), and signs nothing more for earlier requests (INV-4). A higher count
 * without that signature proves nothing and burns nothing.
 */
export interface SpendingCounts {
  /** all releases of this signer; earlier versions counted presignatures alone */
  readonly own: number;
  /** the highest count that each peer reported of itself */
  readonly peers: ReadonlyMap<PartyIndex, ReportedCount>;
  /** peers that have answered since `sinceMs`, and remember no higher count of ours */
  readonly confirmedBy: ReadonlySet<PartyIndex>;
  /** Unix milliseconds: since when peers have to confirm the count; undefined for since the start of this process */
  readonly sinceMs: number | undefined;
  /** whether all peers had time to answer since then: those that have not are away, or silent */
  readonly hasWaited: boolean;
  /** Unix milliseconds: time of the last question; an answer repeats it */
  readonly askedAtMs: number;
  /** whether our count was sent to all peers in this life: an older version may have sent it unsigned */
  readonly isReported: boolean;
  /** alarms since the start: a peer showed a higher count, and the pool was burnt */
  readonly rolledBack: number;
}

/** A peer's count of its releases, as it reported it to us. */
export interface ReportedCount {
  readonly count: number;
  /** the peer's signature; undefined when an older version stored the count unsigned */
  readonly signature: Uint8Array | undefined;
}

/** An alarm (P6) and its proof: only this signer can make its signature. */
export interface StoreRolledBack {
  /** the peer that remembered it */
  readonly shownBy: PartyIndex;
  /** the count that the store held */
  readonly held: number;
  /** a higher count with this signer's signature on `spendingCountBytes` */
  readonly signed: { readonly count: number; readonly signature: Uint8Array };
}

export const NO_SPENDING: SpendingCounts = {
  own: 0,
  peers: new Map(),
  confirmedBy: new Set(),
  sinceMs: undefined,
  hasWaited: false,
  askedAtMs: 0,
  isReported: false,
  rolledBack: 0,
};

/**
 * Resets the confirmations, after a resumption or once the store turned out to be an older copy. Peers are asked at the
 * next tick.
 *
 * @param sinceMs Unix milliseconds
 */
export const unconfirmedSince = (spending: SpendingCounts, sinceMs: number): SpendingCounts => ({
  ...spending,
  confirmedBy: new Set(),
  sinceMs,
  hasWaited: false,
  askedAtMs: 0,
});
