import type { PartyIndex, PeerKeys } from "@conclave/threshold";

/** An identity that a signer had until it was renewed. */
export interface EarlierIdentity {
  /** Ed25519, 32 bytes */
  readonly identity: Uint8Array;
  /** the place among all events of the cluster's roster, from 0, of the renewal that ended it */
  readonly place: number;
}

/** A signer as the cluster's roster pins it. */
export interface RosterMember extends PeerKeys {
  /** such as "signer-1" */
  readonly id: string;
  /** to which import clients encrypt its shares, 34 bytes; absent when the roster is older than key import */
  readonly importKey?: Uint8Array;
  /** identities that it had before; nobody takes a new message signed by one of them */
  readonly earlier?: readonly EarlierIdentity[];
  /** the place of the event by which it came; absent where it was always there, as far as is known */
  readonly joined?: number;
  /** it holds shares of keys that are to be moved to the others, and gets no new ones */
  readonly isLeaving?: boolean;
}

/** The signers that hold a share of each key that is made now, ascending: all but those that leave. */
export const keyHolders = (
  roster: ReadonlyMap<PartyIndex, Pick<RosterMember, "isLeaving">>,
): readonly PartyIndex[] =>
  [...roster].flatMap(([party, { isLeaving }]) => (isLeaving === true ? [] : [party])).sort((a, b) => a - b);

/** The signers that came by no change that is known, ascending: those of attempts that an older version made. */
export const sinceTheBeginning = (
  roster: ReadonlyMap<PartyIndex, Pick<RosterMember, "joined">>,
): readonly PartyIndex[] =>
  [...roster].flatMap(([party, { joined }]) => (joined === undefined ? [party] : [])).sort((a, b) => a - b);
