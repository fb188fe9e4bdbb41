import type { PartyIndex } from "@conclave/threshold";

/**
 * How a signer finds out that its store is an old copy: a backup, a snapshot, a clone. An old copy still holds
 * presignatures that were spent since, and to spend one again would give the key away (P6). Each signer counts what it
 * spends and tells all others, ahead of the partial signature. After a start it asks them. A peer that remembers a higher
 * count shows that the store is old, and then the signer burns every presignature in it. Until enough peers have
 * confirmed, the signer does not use what was in the store; it may use what is made in this life.
 */
export interface SpendingCounts {
  /** presignatures that this signer ever spent */
  readonly own: number;
  /** the highest count that each peer told */
  readonly peers: ReadonlyMap<PartyIndex, number>;
  /** peers that answered in this life, and remember no higher count of ours */
  readonly confirmedBy: ReadonlySet<PartyIndex>;
  /** ids that were in the store at the start */
  readonly recalled: ReadonlySet<string>;
  /** when it was asked last, Unix milliseconds; an answer repeats it */
  readonly askedAtMs: number;
  /** since the start: how often a peer remembered more, and the pool was burnt */
  readonly rolledBack: number;
}

export const NO_SPENDING: SpendingCounts = {
  own: 0,
  peers: new Map(),
  confirmedBy: new Set(),
  recalled: new Set(),
  askedAtMs: 0,
  rolledBack: 0,
};
