import type { PartyIndex, PeerKeys } from "@conclave/threshold";

/** A signer as the cluster's roster pins it. */
export interface RosterMember extends PeerKeys {
  /** such as "signer-1" */
  readonly id: string;
  /** the key to which clients encrypt shares that they import, 34 bytes; absent when the roster is older than key import */
  readonly importKey?: Uint8Array;
  /** it holds shares of keys that will move to the others, and gets no new ones */
  readonly isLeaving?: boolean;
}

/** The signers that hold a share of each newly made key, ascending: all but those that leave. */
export const keyHolders = (
  roster: ReadonlyMap<PartyIndex, Pick<RosterMember, "isLeaving">>,
): readonly PartyIndex[] =>
  [...roster].flatMap(([party, { isLeaving }]) => (isLeaving === true ? [] : [party])).sort((a, b) => a - b);
