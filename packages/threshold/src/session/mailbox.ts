import { equalBytes } from "@noble/curves/utils.js";
import type { PartyIndex } from "../fault.ts";
import { ENVELOPE_KIND, type Envelope, type EnvelopeKind } from "./envelope.ts";

/** An envelope with a verified signature, and the hash that the signature covers. */
export interface Received {
  readonly from: PartyIndex;
  readonly kind: EnvelopeKind;
  readonly envelope: Envelope;
  /** SHA-256 of the payload */
  readonly payloadHash: Uint8Array;
}

/**
 * The received envelopes, at most one for each slot: round, kind and sender. Immutable: adding returns a new
 * mailbox.
 */
export type Mailbox = ReadonlyMap<string, Received>;

export const EMPTY_MAILBOX: Mailbox = new Map();

const slotOf = (round: number, kind: EnvelopeKind, from: PartyIndex): string => `${round}/${kind}/${from}`;

/** The envelope in a slot; undefined when it is empty. */
export const find = (
  mailbox: Mailbox,
  round: number,
  kind: EnvelopeKind,
  from: PartyIndex,
): Received | undefined => mailbox.get(slotOf(round, kind, from));

/** The mailbox with one more envelope. */
export const withReceived = (mailbox: Mailbox, received: Received): Mailbox =>
  new Map(mailbox).set(slotOf(received.envelope.round, received.kind, received.from), received);

export const isSamePayload = (a: Envelope, b: Envelope): boolean => equalBytes(a.payload, b.payload);

/** The messages of one round, in order of arrival. */
export const ofRound = (mailbox: Mailbox, round: number): readonly Received[] =>
  [...mailbox.values()].filter(({ envelope }) => envelope.round === round);

/** The number of bytes in a party's payloads for rounds after this one. */
export const earlyBytes = (mailbox: Mailbox, from: PartyIndex, round: number): number => {
  let bytes = 0;
  for (const received of mailbox.values()) {
    const isEarly = received.from === from && received.envelope.round > round;
    if (isEarly) bytes += received.envelope.payload.length;
  }
  return bytes;
};

/**
 * The messages that show a failed check of a round: all messages of the accused up to that round, because a
 * check may depend on an earlier commitment; then its echoes, which bind it to the broadcasts that it
 * received; then the broadcasts of all others, whose keys the statements name, and whose parts of the sum a
 * joint check uses.
 *
 * @param own our own broadcasts
 */
export const messagesAgainst = (
  mailbox: Mailbox,
  accused: PartyIndex,
  round: number,
  own: readonly Envelope[],
): readonly Envelope[] => {
  const heard = [...mailbox.values()]
    .filter(({ envelope }) => envelope.round <= round)
    .sort((a, b) => a.envelope.round - b.envelope.round || a.kind - b.kind);
  const chosen = (isChosen: (received: Received) => boolean): readonly Envelope[] =>
    heard.filter(isChosen).map(({ envelope }) => envelope);
  const { broadcast, echo } = ENVELOPE_KIND;
  return [
    ...chosen(({ from, kind }) => from === accused && kind !== echo),
    ...chosen(({ from, kind }) => from === accused && kind === echo),
    ...chosen(({ from, kind }) => from !== accused && kind === broadcast),
    ...own,
  ];
};
