import { equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { decode } from "../codec.ts";
import { type PartyIndex, partyIndex } from "../fault.ts";
import type { Parameters } from "../parameters.ts";
import { echoCodec } from "../session/echo.ts";
import { ENVELOPE_KIND, type Envelope, isSignedBy, type SessionId } from "../session/envelope.ts";
import type { Material } from "../session/material.ts";
import { isEnvelope, type SignedMessage, signedHash } from "../session/signed-message.ts";
import type { Attempt, IdentityRoster } from "./attempt.ts";

/** Thrown only in blame/ and caught in verify-fault.ts: the evidence does not prove its claim. */
export class NotShown extends Error {}

/** Ends a check without a proof. */
export const notShown = (why: string): never => {
  throw new NotShown(why);
};

/** The signed messages of one session that the evidence contains; every signature has been verified. */
export interface SignedRecord {
  readonly attempt: Attempt;
  readonly session: SessionId;
  readonly accused: PartyIndex;
  readonly parameters: Parameters;
  readonly roster: IdentityRoster;
  readonly material: Material;
  /** in the order of the evidence */
  readonly messages: readonly SignedMessage[];
}

/** Whether a message is of this session, and signed by one of its parties. Never throws. */
export const isSignedFor = (
  roster: IdentityRoster,
  parties: readonly PartyIndex[],
  session: SessionId,
  message: SignedMessage,
): boolean => {
  const { from, session: of } = isEnvelope(message) ? message : message.header;
  const sender = partyIndex(from);
  if (sender === undefined || !parties.includes(sender) || !equalBytes(of, session)) return false;
  const identity = roster.get(sender)?.identity;
  if (identity === undefined) return false;
  const { header, payloadHash, signature } = signedHash(message);
  return isSignedBy(identity, header, payloadHash, signature);
};

const isAt = (message: SignedMessage, round: number, kind: number, from: PartyIndex): message is Envelope =>
  isEnvelope(message) && message.round === round && message.kind === kind && message.from === from;

/** The broadcast that a party signed in a round. */
export const broadcastOf = ({ messages }: SignedRecord, round: number, party: PartyIndex): Uint8Array => {
  const found = messages.find((message) => isAt(message, round, ENVELOPE_KIND.broadcast, party));
  if (found === undefined || !isEnvelope(found) || found.to !== 0) {
    return notShown(`the broadcast of party ${party} in round ${round} is missing`);
  }
  return found.payload;
};

/** A message of the accused to one party alone. */
export interface ShownDirect {
  readonly to: PartyIndex;
  readonly payload: Uint8Array;
}

/** The one message of the accused to a single party in a round. */
export const directOf = ({ messages, accused, attempt }: SignedRecord, round: number): ShownDirect => {
  const found = messages.find((message) => isAt(message, round, ENVELOPE_KIND.direct, accused));
  const to = found !== undefined && isEnvelope(found) ? partyIndex(found.to) : undefined;
  if (found === undefined || !isEnvelope(found) || to === undefined) {
    return notShown(`the message of party ${accused} to one party in round ${round} is missing`);
  }
  if (to === accused || !attempt.parties.includes(to)) return notShown("it is for no party of the session");
  return { to, payload: found.payload };
};

/** The hashes that the accused's echo lists for a round, by sender. */
const echoedBy = (
  messages: readonly SignedMessage[],
  parties: readonly PartyIndex[],
  accused: PartyIndex,
  round: number,
): ReadonlyMap<number, Uint8Array> => {
  const echo = messages.find((message) => isAt(message, round, ENVELOPE_KIND.echo, accused));
  if (echo === undefined || !isEnvelope(echo))
    return notShown(`the echo of party ${accused} in round ${round} is missing`);
  const claims = decode(echoCodec(parties.length), echo.payload);
  if (!claims.ok) return notShown(`the echo of party ${accused} in round ${round} is malformed`);
  return new Map(claims.value.map(({ party, payloadHash }) => [party, payloadHash]));
};

/**
 * The broadcasts of all parties in a round with echo, each checked to be the one that the accused received,
 * by its own signed echo. A message that the accused never received would prove nothing about it.
 */
export const agreedBroadcasts = (
  record: Pick<SignedRecord, "messages" | "accused"> & { readonly parties: readonly PartyIndex[] },
  round: number,
): ReadonlyMap<PartyIndex, Uint8Array> => {
  const { messages, parties, accused } = record;
  const heard = echoedBy(messages, parties, accused, round);
  const payloads = new Map<PartyIndex, Uint8Array>();
  for (const party of parties) {
    const found = messages.find((message) => isAt(message, round, ENVELOPE_KIND.broadcast, party));
    if (found === undefined || !isEnvelope(found) || found.to !== 0) {
      return notShown(`the broadcast of party ${party} in round ${round} is missing`);
    }
    const hash = heard.get(party);
    const isHeard = party === accused || (hash !== undefined && equalBytes(hash, sha256(found.payload)));
    if (!isHeard)
      return notShown(`party ${accused} received another broadcast of party ${party} in round ${round}`);
    payloads.set(party, found.payload);
  }
  return payloads;
};

/** The broadcasts of a round with echo in the session of the record. */
export const agreedIn = (record: SignedRecord, round: number): ReadonlyMap<PartyIndex, Uint8Array> =>
  agreedBroadcasts({ ...record, parties: record.attempt.parties }, round);

/** Whether the evidence holds a party's broadcast of a round. */
export const isShown = ({ messages }: SignedRecord, round: number, party: PartyIndex): boolean =>
  messages.some((message) => isAt(message, round, ENVELOPE_KIND.broadcast, party));
