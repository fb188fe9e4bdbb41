import type { PartyIndex } from "@conclave/threshold";

/**
 * How a signer finds out that its store is an old copy: a backup, a snapshot, a clone. Each signer counts what it releases: presignatures, signatures
 * that bind a request, keys that it hands over. It signs the count and tells it to all others, ahead of the partial signature. After a start it asks
 * them. A peer that shows it a higher count with its own signature shows that the store is old: an operator hears it, the signer burns its
 * pool, for a twin of this process may have spent it too (P6), and signs nothing more for requests of before (INV-4). A higher count without that signature
 * shows nothing, and burns nothing.
 */
export interface SpendingCounts {
  /** releases of this signer, ever; versions before counted presignatures alone */
  readonly own: number;
  /** the highest count that each peer reported */
  readonly peers: ReadonlyMap<PartyIndex, ReportedCount>;
  /** peers that answered since then, and remember no higher count of ours */
  readonly confirmedBy: ReadonlySet<PartyIndex>;
  /** since when peers have to confirm the counts, Unix milliseconds; undefined for since the start of this process */
  readonly sinceMs: number | undefined;
  /** whether all peers had their time to answer since then: those that have not are away, or silent */
  readonly hasWaited: boolean;
  /** when it was asked last, Unix milliseconds; an answer repeats it */
  readonly askedAtMs: number;
  /** whether all peers received our count in this life: an older version may have sent it to them unsigned */
  readonly isReported: boolean;
  /** since the start: how often a peer showed that we had signed more, and the pool was burnt */
  readonly rolledBack: number;
}

/** How much a peer released, as it reported it to us. */
export interface ReportedCount {
  readonly count: number;
  /** the peer's; undefined when an older version of ours heard it, unsigned */
  readonly signature: Uint8Array | undefined;
}

/** An alarm (P6), and what proves it: nobody else can make this signer's signature. */
export interface StoreRolledBack {
  /** the peer that kept it */
  readonly shownBy: PartyIndex;
  /** the count that the store held */
  readonly held: number;
  /** of this signer: `spendingCountBytes`, signed */
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
 * Counts that peers have to confirm anew: after a resumption, and once the store turned out to be an older copy. They are asked at the next moment.
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
