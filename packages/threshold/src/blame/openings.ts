import { equalBytes } from "@noble/curves/utils.js";
import { decode, fixedBytes } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { COMMITMENT_BYTES, type OpeningRules } from "../opening.ts";
import { agreedIn, broadcastOf, notShown, type SignedRecord } from "./signed-record.ts";

/** The check that the accused's commitment fails, in the first round of commit and open. */
export const commitmentFault = (
  record: SignedRecord,
  protocol: string,
  round: number,
  bytes: number = COMMITMENT_BYTES,
): string | undefined => {
  const commitment = decode(fixedBytes(bytes), broadcastOf(record, round, record.accused));
  return commitment.ok ? undefined : `${protocol}/1 decoding: ${commitment.reason}`;
};

/**
 * The accused's opening, or the check that it fails. @param round the round of the opening, one after the
 * commitment's
 */
export const readAccusedOpening = <Opening>(
  record: SignedRecord,
  { protocol, codec, commit }: OpeningRules<Opening>,
  round: number,
): { readonly opening: Opening } | { readonly fault: string } => {
  const { accused } = record;
  const opening = decode(codec, broadcastOf(record, round, accused));
  if (!opening.ok) return { fault: `${protocol}/2 decoding: ${opening.reason}` };
  const isOpen = equalBytes(commit(accused, opening.value), broadcastOf(record, round - 1, accused));
  return isOpen ? { opening: opening.value } : { fault: `${protocol}/2 opening of V` };
};

/**
 * The openings of these parties. They need no echo: the accused's echo of the commitments shows that it
 * received these, and a commitment has only one opening.
 */
export const openingsOf = <Opening>(
  record: SignedRecord,
  { codec, commit }: OpeningRules<Opening>,
  round: number,
  parties: readonly PartyIndex[],
): ReadonlyMap<PartyIndex, Opening> => {
  const commitments = agreedIn(record, round - 1);
  const openings = new Map<PartyIndex, Opening>();
  for (const party of parties) {
    const opening = decode(codec, broadcastOf(record, round, party));
    const commitment = commitments.get(party);
    if (!opening.ok || commitment === undefined || !equalBytes(commit(party, opening.value), commitment)) {
      return notShown(`the opening of party ${party} is not what it committed to`);
    }
    openings.set(party, opening.value);
  }
  return openings;
};
