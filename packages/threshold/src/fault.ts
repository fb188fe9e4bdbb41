import { type Codec, convert, uint } from "./codec.ts";

/** The number of a party in the roster, from 1. Never 0: the share of a party is f(index), and f(0) is the secret. */
export type PartyIndex = number & { readonly __brand: "PartyIndex" };

/** The largest number of parties in a roster. */
export const PARTIES_MAX = 64;

/** Parses an untrusted number; undefined when it is not an integer from 1 to PARTIES_MAX. */
export const partyIndex = (value: number): PartyIndex | undefined => {
  const isIndex = (candidate: number): candidate is PartyIndex =>
    Number.isInteger(candidate) && candidate >= 1 && candidate <= PARTIES_MAX;
  return isIndex(value) ? value : undefined;
};

/** A party's number in one byte. */
export const partyCodec: Codec<PartyIndex> = convert(uint(1), partyIndex, (party) => party, "not a party");

/** A peer, and the check that its message failed. The session layer adds the signed messages that prove it. */
export interface Accusation {
  readonly culprit: PartyIndex;
  /** name of the check, such as "presign/2 Πaff-g of D" */
  readonly check: string;
}
