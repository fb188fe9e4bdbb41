/** A party of a protocol: its number in the roster, from 1. Never 0: shares lie at f(index). */
export type PartyIndex = number & { readonly __brand: "PartyIndex" };

/** The most parties that a roster may have. */
export const PARTIES_MAX = 64;

/** Narrows a number from outside; undefined when it is not an integer from 1 to PARTIES_MAX. */
export const partyIndex = (value: number): PartyIndex | undefined => {
  const isIndex = (candidate: number): candidate is PartyIndex =>
    Number.isInteger(candidate) && candidate >= 1 && candidate <= PARTIES_MAX;
  return isIndex(value) ? value : undefined;
};

/** A check that one peer's message failed. The session layer adds the signed messages that prove it. */
export interface Accusation {
  readonly culprit: PartyIndex;
  /** what was checked, such as "presign/2 Πaff-g of D" */
  readonly check: string;
}
