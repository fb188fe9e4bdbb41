import type { Entropy } from "../entropy.ts";
import type { Accusation, PartyIndex } from "../fault.ts";
import type { Examination } from "./examination.ts";

/**
 * The contract of every protocol: rounds are values. A round says what it waits for; when one message of each
 * expected kind from each other party is there, `advance` turns them into the next step. It does no I/O, and
 * its only source of randomness is the entropy handed in. The session layer (session.ts) knows nothing of any
 * protocol: it signs, sorts, buffers, echoes and attributes.
 */
export interface Round<Output> {
  /** counts from 1; the messages of round k are those that round k consumes */
  readonly number: number;
  readonly expects: Expectation;
  /** Called once, with every message present. Values only: the same inbox and entropy give the same step. */
  readonly advance: (inbox: Inbox, entropy: Entropy) => Step<Output>;
  /**
   * The first half of `advance`, for rounds with costly checks of each peer: whoever has several threads does them side by
   * side, and concludes to the same step.
   */
  readonly examine?: (inbox: Inbox) => Examination<Output>;
}

/** What a round waits for from every other party. */
export interface Expectation {
  /**
   * A message each party sends to all alike. "echo" means that agreement is required: the session layer
   * compares what everybody got before the round advances (P12).
   */
  readonly broadcast: "none" | "plain" | "echo";
  /** A message for one receiver. "sealed" is encrypted to the receiver's key as well. */
  readonly direct: "none" | "plain" | "sealed";
  /** largest payload in bytes; a longer one is a fault before it is decoded (P13) */
  readonly payloadBytesMax: number;
}

/** The messages of one round, one of each expected kind from every other party. */
export interface Inbox {
  readonly broadcast: (from: PartyIndex) => Uint8Array;
  readonly direct: (from: PartyIndex) => Uint8Array;
}

/** A message of our own for the round that follows. */
export interface Outgoing {
  readonly to: PartyIndex | "all";
  readonly payload: Uint8Array;
}

/** What a round makes of its messages. */
export type Step<Output> =
  /** send these (they belong to `round`), then wait for what `round` expects */
  | { readonly kind: "next"; readonly messages: readonly Outgoing[]; readonly round: Round<Output> }
  | { readonly kind: "output"; readonly output: Output }
  /** a peer cheated */
  | { readonly kind: "fault"; readonly accusation: Accusation }
  /** nobody can be shown to have caused this: burn everything of this session */
  | { readonly kind: "abort"; readonly check: string };

/** A protocol that can start: makes our first messages and the first round. */
export type Start<Output> = (entropy: Entropy) => Step<Output>;
