import { equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { PartyIndex } from "../fault.ts";
import { identityOf, type SessionConfig } from "./config.ts";
import { echoBytes } from "./echo.ts";
import {
  ENVELOPE_KIND,
  type Envelope,
  type EnvelopeKind,
  isSignedBy,
  PAYLOAD_BYTES_MAX,
} from "./envelope.ts";
import { add, earlyBytes, find, isSamePayload, type Mailbox, type Received } from "./mailbox.ts";
import type { Fault, IgnoreReason } from "./outcome.ts";
import type { Expectation } from "./round.ts";
import { SEAL_BYTES } from "./seal.ts";

/**
 * How far ahead of us a message may be and still be kept. An honest peer is at most one round ahead: it
 * cannot finish a round without our message of it.
 */
export const ROUNDS_AHEAD_MAX = 2;
/** The early payloads kept for one peer: the largest broadcast and the largest direct message of one round. */
export const EARLY_BYTES_PER_PEER_MAX: number = 2 * PAYLOAD_BYTES_MAX;

export type Admission =
  | { readonly kind: "kept"; readonly mailbox: Mailbox }
  | { readonly kind: "ignored"; readonly reason: IgnoreReason }
  | { readonly kind: "fault"; readonly fault: Fault };

/** The round that a session is in, as far as admission cares. */
export interface Place {
  readonly number: number;
  readonly expects: Expectation;
}

/** The largest payload of a kind that the round takes; undefined when it takes none of that kind. */
const payloadLimit = (
  config: SessionConfig,
  expects: Expectation,
  kind: EnvelopeKind,
): number | undefined => {
  switch (kind) {
    case ENVELOPE_KIND.broadcast:
      return expects.broadcast === "none" ? undefined : expects.payloadBytesMax;
    case ENVELOPE_KIND.direct:
      if (expects.direct === "none") return undefined;
      return expects.direct === "sealed" ? expects.payloadBytesMax + SEAL_BYTES : expects.payloadBytesMax;
    case ENVELOPE_KIND.echo:
      return expects.broadcast === "echo" ? echoBytes(config) : undefined;
  }
};

const oversize = ({ from, envelope }: Received, limit: number): Fault => ({
  culprit: from,
  check: `round ${envelope.round}: payload of ${envelope.payload.length} bytes, at most ${limit} allowed`,
  evidence: [envelope],
});

/** A round entered with what came before it, or the fault that now shows. */
export type Entry =
  | { readonly kind: "entered"; readonly mailbox: Mailbox }
  | { readonly kind: "fault"; readonly fault: Fault };

/**
 * Judges the messages that came before their round: only now is it known which it takes, and how long they may
 * be. Those it has no place for are dropped, so that they do not pile up.
 */
export const enterRound = (config: SessionConfig, { number, expects }: Place, mailbox: Mailbox): Entry => {
  const kept = new Map(mailbox);
  for (const [place, received] of mailbox) {
    if (received.envelope.round !== number) continue;
    const limit = payloadLimit(config, expects, received.kind);
    if (limit === undefined) kept.delete(place);
    else if (received.envelope.payload.length > limit) {
      return { kind: "fault", fault: oversize(received, limit) };
    }
  }
  return { kind: "entered", mailbox: kept };
};

const parseKind = (kind: number): EnvelopeKind | undefined =>
  Object.values(ENVELOPE_KIND).find((known) => known === kind);

const isAddressed = (config: SessionConfig, kind: EnvelopeKind, to: number): boolean =>
  to === (kind === ENVELOPE_KIND.direct ? config.self : 0);

/** Why an envelope is of no use, by what costs nothing to check; or who sent it and of what kind. */
const classify = (
  config: SessionConfig,
  round: Place,
  envelope: Envelope,
): IgnoreReason | { readonly from: PartyIndex; readonly kind: EnvelopeKind } => {
  if (!equalBytes(envelope.session, config.session)) return "foreign";
  const from = config.parties.find((party) => party === envelope.from);
  if (from === undefined || from === config.self) return "foreign";
  const kind = parseKind(envelope.kind);
  if (kind === undefined) return "unexpected";
  if (!isAddressed(config, kind, envelope.to)) return "misaddressed";
  if (!(envelope.round >= round.number)) return "stale";
  if (envelope.round > round.number + ROUNDS_AHEAD_MAX) return "overfull";
  if (envelope.payload.length > PAYLOAD_BYTES_MAX) return "overfull";
  return { from, kind };
};

/**
 * Decides on one envelope: kept for its round, ignored, or a fault of its sender. Nobody is accused by bytes
 * that they did not sign (INV-7); cheap checks come before the signature (P13).
 */
export const admit = (
  config: SessionConfig,
  round: Place,
  mailbox: Mailbox,
  envelope: Envelope,
): Admission => {
  const ignored = (reason: IgnoreReason): Admission => ({ kind: "ignored", reason });
  const sender = classify(config, round, envelope);
  if (typeof sender === "string") return ignored(sender);

  const { from, kind } = sender;
  const known = find(mailbox, envelope.round, kind, from);
  if (known !== undefined && isSamePayload(known.envelope, envelope)) return ignored("duplicate");

  const isEarly = envelope.round > round.number;
  const limit = isEarly ? PAYLOAD_BYTES_MAX : payloadLimit(config, round.expects, kind);
  if (limit === undefined) return ignored("unexpected");
  const held = isEarly ? earlyBytes(mailbox, from, round.number) + envelope.payload.length : 0;
  if (known === undefined && held > EARLY_BYTES_PER_PEER_MAX) return ignored("overfull");

  const payloadHash = sha256(envelope.payload);
  if (!isSignedBy(identityOf(config, from), envelope, payloadHash, envelope.signature)) {
    return ignored("unsigned");
  }
  const received: Received = { from, kind, envelope, payloadHash };
  if (known !== undefined) return { kind: "fault", fault: equivocation(known, received) };
  if (envelope.payload.length > limit) return { kind: "fault", fault: oversize(received, limit) };
  return { kind: "kept", mailbox: add(mailbox, received) };
};

/** P12: two signed payloads for one place. */
const equivocation = (first: Received, second: Received): Fault => ({
  culprit: first.from,
  check: `round ${first.envelope.round}: two different messages for one place`,
  evidence: [first.envelope, second.envelope],
});
