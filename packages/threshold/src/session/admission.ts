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
import { earlyBytes, find, isSamePayload, type Mailbox, type Received, withReceived } from "./mailbox.ts";
import { NO_MATERIAL } from "./material.ts";
import type { Fault, IgnoreReason } from "./outcome.ts";
import type { Expectation, Round } from "./round.ts";
import { SEAL_BYTES } from "./seal.ts";

/**
 * How many rounds after our own a message may be to be kept. An honest peer is at most one round ahead: it
 * cannot finish a round without our message of that round.
 */
export const ROUNDS_AHEAD_MAX = 2;
/** The most bytes of early payloads kept for one peer: the largest broadcast and direct message of one round. */
export const EARLY_BYTES_PER_PEER_MAX: number = 2 * PAYLOAD_BYTES_MAX;

/** The decision on one envelope. */
type Admission =
  | { readonly kind: "kept"; readonly mailbox: Mailbox }
  | { readonly kind: "ignored"; readonly reason: IgnoreReason }
  | { readonly kind: "fault"; readonly fault: Fault };

/** The current round of a session, as far as admission needs it. */
type CurrentRound = Pick<Round<unknown>, "number" | "expects">;

/** The largest payload of a kind that the round accepts, in bytes; undefined when it accepts none of that kind. */
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
  messages: [envelope],
  material: NO_MATERIAL,
});

/** The mailbox at the start of a round, or the fault that an early message shows. */
type Entry =
  | { readonly kind: "entered"; readonly mailbox: Mailbox }
  | { readonly kind: "fault"; readonly fault: Fault };

/**
 * Checks the messages that arrived before their round began: only now are the round's accepted kinds and
 * lengths known. Messages of other kinds are dropped, so that they do not accumulate.
 */
export const enterRound = (
  config: SessionConfig,
  { number, expects }: CurrentRound,
  mailbox: Mailbox,
): Entry => {
  const kept = new Map(mailbox);
  for (const [slot, received] of mailbox) {
    if (received.envelope.round !== number) continue;
    const limit = payloadLimit(config, expects, received.kind);
    if (limit === undefined) kept.delete(slot);
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

/** The sender and kind of an envelope; or the reason to ignore it, by checks that cost little. */
const classify = (
  config: SessionConfig,
  round: CurrentRound,
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
 * Decides on one envelope: it is kept for its round, ignored, or a fault of its sender. An envelope accuses
 * only the party that signed it (INV-7); cheap checks come before the signature (P13).
 */
export const admit = (
  config: SessionConfig,
  round: CurrentRound,
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
  return { kind: "kept", mailbox: withReceived(mailbox, received) };
};

/** P12: a fault by two signed payloads for one slot: round, kind and sender. */
const equivocation = (first: Received, second: Received): Fault => ({
  culprit: first.from,
  check: `round ${first.envelope.round}: two different messages for one place`,
  messages: [first.envelope, second.envelope],
  material: NO_MATERIAL,
});
