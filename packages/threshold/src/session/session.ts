import type { Entropy } from "../entropy.ts";
import type { Accusation, PartyIndex } from "../fault.ts";
import type { Secret } from "../secret.ts";
import type { Envelope, SessionId } from "./envelope.ts";
import type { Evidence } from "./evidence.ts";
import type { Start } from "./round.ts";

/** A peer as the session knows it: pinned keys from the roster. */
export interface PeerKeys {
  /** Ed25519 public key, 32 bytes */
  readonly identity: Uint8Array;
  /** X25519 public key, 32 bytes */
  readonly encryption: Uint8Array;
}

/** The secret keys of a party, 32 bytes each. */
export interface PartySecrets {
  /** Ed25519 */
  readonly identity: Uint8Array;
  /** X25519 */
  readonly encryption: Uint8Array;
}

export interface SessionConfig {
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** all parties of this run, self included, ascending, distinct */
  readonly parties: readonly PartyIndex[];
  readonly peers: ReadonlyMap<PartyIndex, PeerKeys>;
  readonly secrets: Secret<PartySecrets>;
}

/** A peer that deviated, with what it signed (evidence.ts says what a third party can check with it). */
export interface Fault extends Accusation {
  readonly evidence: readonly Evidence[];
}

export type IgnoreReason =
  | "duplicate"
  /** of a round that is over */
  | "stale"
  /** of another session, or from nobody of this one */
  | "foreign"
  | "unsigned"
  /** not for us, or with an impossible receiver for its kind */
  | "misaddressed"
  /** of a kind that its round has no place for */
  | "unexpected"
  | "finished"
  /** too early or too much to keep: the sender may send it again later */
  | "overfull";

export type Outcome<Output> =
  | { readonly kind: "running"; readonly round: number }
  | { readonly kind: "output"; readonly output: Output }
  | { readonly kind: "fault"; readonly fault: Fault }
  | { readonly kind: "abort"; readonly check: string };

/** What one event did to a session. */
export interface Progress<Output> {
  readonly session: Session<Output>;
  /** our envelopes, to be sent in this order; `to` 0 goes to every other party */
  readonly send: readonly Envelope[];
  readonly outcome: Outcome<Output>;
  /** set when the envelope was harmless and had no effect */
  readonly ignored?: IgnoreReason;
}

// To be written by the session room: the opaque state, openSession and deliver.
export interface Session<Output> {
  readonly config: SessionConfig;
  readonly outcome: Outcome<Output>;
}
export type OpenSession = <Output>(
  config: SessionConfig,
  start: Start<Output>,
  entropy: Entropy,
) => Progress<Output>;
export type Deliver = <Output>(
  session: Session<Output>,
  envelope: Envelope,
  entropy: Entropy,
) => Progress<Output>;
