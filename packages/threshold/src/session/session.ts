import type { Entropy } from "../entropy.ts";
import type { Accusation, PartyIndex } from "../fault.ts";
import type { Envelope, SessionId } from "./envelope.ts";
import type { Start } from "./round.ts";

/** A peer as the session knows it: pinned keys from the roster. */
export interface PeerKeys {
  /** Ed25519 public key, 32 bytes */
  readonly identity: Uint8Array;
  /** X25519 public key, 32 bytes */
  readonly encryption: Uint8Array;
}

export interface SessionConfig {
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** all parties of this run, self included, ascending, distinct */
  readonly parties: readonly PartyIndex[];
  readonly peers: ReadonlyMap<PartyIndex, PeerKeys>;
  /** Ed25519 and X25519 secret keys of self */
  readonly secrets: { readonly identity: Uint8Array; readonly encryption: Uint8Array };
}

/** A peer that deviated, with the signed envelopes that show it to a third party. */
export interface Fault extends Accusation {
  readonly evidence: readonly Envelope[];
}

export type IgnoreReason = "duplicate" | "stale" | "foreign" | "unsigned" | "misaddressed" | "finished" | "overfull";

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
export type OpenSession = <Output>(config: SessionConfig, start: Start<Output>, entropy: Entropy) => Progress<Output>;
export type Deliver = <Output>(session: Session<Output>, envelope: Envelope, entropy: Entropy) => Progress<Output>;
