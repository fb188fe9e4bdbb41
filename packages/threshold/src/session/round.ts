import type { Entropy } from "../entropy.ts";
import type { Accusation, PartyIndex } from "../fault.ts";
import type { Examination } from "./examination.ts";

/**
 * The interface of every protocol: rounds are values. A round declares the messages that it expects; once one message of
 * each expected kind from each other party has arrived, `advance` computes the next step from them. It does no I/O, and its
 * only source of randomness is the entropy argument. The session layer (session.ts) knows nothing of any protocol: it
 * signs, sorts, buffers, echoes and attributes messages.
 */
export interface Round<Output> {
  /** from 1; the messages of round k are those that round k consumes */
  readonly number: number;
  readonly expects: Expectation;
  /** Called once, when every message has arrived. Deterministic: the same inbox and entropy give the same step. */
  readonly advance: (inbox: Inbox, entropy: Entropy) => Step<Output>;
  /**
   * The first half of `advance`, for rounds with costly checks of each peer: a caller with several threads performs the
   * checks in parallel, and reaches the same step.
   */
  readonly examine?: (inbox: Inbox) => Examination<Output>;
}

/** The messages that a round expects from every other party. */
export interface Expectation {
  /**
   * A message that each party sends to all alike. "echo" means that agreement is required: the session layer compares what
   * all parties received before the round advances (P12).
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

/** A message of ours to the next round. */
export interface Outgoing {
  readonly to: PartyIndex | "all";
  readonly payload: Uint8Array;
}

/** The result of a round. */
export type Step<Output> =
  /** send these (they belong to `round`), then wait for what `round` expects */
  | { readonly kind: "next"; readonly messages: readonly Outgoing[]; readonly round: Round<Output> }
  | { readonly kind: "output"; readonly output: Output }
  /** a peer cheated */
  | { readonly kind: "fault"; readonly accusation: Accusation }
  /** no party can be shown to have caused this: discard everything of this session */
  | { readonly kind: "abort"; readonly check: string };

/** The start of a protocol: computes our first messages and the first round. */
export type Start<Output> = (entropy: Entropy) => Step<Output>;
