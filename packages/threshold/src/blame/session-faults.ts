import { decode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import { echoCodec } from "../session/echo.ts";
import { ENVELOPE_KIND, type Envelope, type EnvelopeHeader, isSignedBy } from "../session/envelope.ts";
import { isEnvelope, provesEquivocation, type SignedHash, signedHash } from "../session/signed-message.ts";
import { bytesMaxOf } from "./expectations.ts";
import { notShown, type SignedRecord } from "./signed-record.ts";

const envelopesOf = ({ messages, accused }: SignedRecord, round: number): readonly Envelope[] =>
  messages.filter(isEnvelope).filter((message) => message.from === accused && message.round === round);

/** P12: whether the accused signed two payloads for one place. Each payload is hashed once. */
const signedTwice = ({ messages, accused, roster }: SignedRecord, round: number): boolean => {
  const identity = roster.get(accused)?.identity ?? notShown("the accused is not in the roster");
  const firsts = new Map<string, SignedHash>();
  return messages.some((message) => {
    const of = isEnvelope(message) ? message : message.header;
    if (of.from !== accused || of.round !== round) return false;
    const place = `${of.kind}/${of.to}`;
    const next = signedHash(message);
    const first = firsts.get(place);
    if (first !== undefined) return provesEquivocation(first, next, identity);
    firsts.set(place, next);
    return false;
  });
};

/** The name of the check that an echo of the accused fails. */
const flawOfEcho = (record: SignedRecord, echo: Envelope): string | undefined => {
  const { attempt, accused, session, roster } = record;
  const at = `round ${echo.round}: echo`;
  const decoded = decode(echoCodec(attempt.parties.length), echo.payload);
  if (!decoded.ok) return `${at} malformed: ${decoded.reason}`;
  const named = attempt.parties.filter((party) => party !== accused);
  if (named.some((party, place) => decoded.value[place]?.party !== party))
    return `${at} does not list every other party`;
  const header = (from: PartyIndex): EnvelopeHeader => ({
    session,
    round: echo.round,
    kind: ENVELOPE_KIND.broadcast,
    from,
    to: 0,
  });
  const invented = named.find((party, place) => {
    const claim = decoded.value[place];
    const identity = roster.get(party)?.identity;
    if (claim === undefined || identity === undefined) return false;
    return !isSignedBy(identity, header(party), claim.payloadHash, claim.signature);
  });
  return invented === undefined ? undefined : `${at} claims a message that party ${invented} did not sign`;
};

const flawOfSize = (record: SignedRecord, message: Envelope): string | undefined => {
  const limit = bytesMaxOf(record, message.round, message.kind);
  const { length } = message.payload;
  if (limit === undefined || length <= limit) return undefined;
  return `round ${message.round}: payload of ${length} bytes, at most ${limit} allowed`;
};

/**
 * Whether the accused fails a check of the session layer, whose checks are the same in every protocol. They
 * need only messages that the accused signed, and, for a size in a refresh, the public part of the key.
 */
export const failsInSession = (record: SignedRecord, round: number, check: string): boolean => {
  const at = `round ${round}:`;
  const twice = [
    `${at} two different messages for one place`,
    `${at} different broadcasts to different parties`,
  ];
  if (twice.includes(check)) return signedTwice(record, round);
  const own = envelopesOf(record, round);
  if (check.startsWith(`${at} payload of `)) {
    return own.some((message) => flawOfSize(record, message) === check);
  }
  return own.some((message) => message.kind === ENVELOPE_KIND.echo && flawOfEcho(record, message) === check);
};
