import { equalBytes } from "@noble/curves/utils.js";
import type { PartyIndex } from "../fault.ts";
import { ENVELOPE_KIND, type Envelope, type EnvelopeKind } from "./envelope.ts";

/** An envelope whose signature was checked, and the hash that the signature covers. */
export interface Received {
  readonly from: PartyIndex;
  readonly kind: EnvelopeKind;
  readonly envelope: Envelope;
  /** SHA-256 of the payload */
  readonly payloadHash: Uint8Array;
}

/** What arrived, one envelope for each place: a round, a kind, a sender. A value: adding makes a new one. */
export type Mailbox = ReadonlyMap<string, Received>;

export const EMPTY_MAILBOX: Mailbox = new Map();

const place = (round: number, kind: EnvelopeKind, from: PartyIndex): string => `${round}/${kind}/${from}`;

export const find = (
  mailbox: Mailbox,
  round: number,
  kind: EnvelopeKind,
  from: PartyIndex,
): Received | undefined => mailbox.get(place(round, kind, from));

export const add = (mailbox: Mailbox, received: Received): Mailbox =>
  new Map(mailbox).set(place(received.envelope.round, received.kind, received.from), received);

export const isSamePayload = (a: Envelope, b: Envelope): boolean => equalBytes(a.payload, b.payload);

/** The messages of one round, in the order in which they came. */
export const ofRound = (mailbox: Mailbox, round: number): readonly Received[] =>
  [...mailbox.values()].filter(({ envelope }) => envelope.round === round);

/** How many bytes of a party's payloads wait for rounds after this one. */
export const earlyBytes = (mailbox: Mailbox, from: PartyIndex, round: number): number => {
  let bytes = 0;
  for (const received of mailbox.values()) {
    const isEarly = received.from === from && received.envelope.round > round;
    if (isEarly) bytes += received.envelope.payload.length;
  }
  return bytes;
};

/**
 * Everything a party said up to a round, but for echoes: a check of this round may rest on what it committed
 * to in an earlier one.
 */
export const saidBy = (mailbox: Mailbox, party: PartyIndex, round: number): readonly Envelope[] =>
  [...mailbox.values()]
    .filter(({ from, kind }) => from === party && kind !== ENVELOPE_KIND.echo)
    .map(({ envelope }) => envelope)
    .filter((envelope) => envelope.round <= round)
    .sort((a, b) => a.round - b.round || a.kind - b.kind);
