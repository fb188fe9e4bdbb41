import type { Entropy } from "../entropy.ts";
import type { Accusation, PartyIndex } from "../fault.ts";
import type { Secret } from "../secret.ts";
import type { Envelope } from "./envelope.ts";
import type { Material } from "./material.ts";

/**
 * The interface of every protocol: rounds are values. A round declares the messages that it expects; once one
 * message of each expected kind from each other party has arrived, `advance` computes the next step from
 * them. A round does no I/O, and its only source of randomness is the entropy argument. The session layer
 * (session.ts) knows nothing of any protocol: it signs, sorts, buffers, echoes and attributes messages.
 */
export interface Round<Output> {
  /** from 1; round k consumes the messages of round k */
  readonly number: number;
  readonly expects: Expectation;
  /** Called once, when every message has arrived. Deterministic: the same inbox and entropy give the same step. */
  readonly advance: (inbox: Inbox, entropy: Entropy) => Step<Output>;
  /**
   * Finds a fault before every broadcast has arrived, so that a peer that falls silent cannot delay the
   * blame. Called when the round begins and after each arrival, as long as some broadcasts are missing.
   *
   * @param heard the broadcasts of this round that have arrived, by sender
   * @returns undefined while they show no fault; otherwise the fault
   */
  readonly early?: (heard: ReadonlyMap<PartyIndex, Uint8Array>) => Step<Output> | undefined;
  /**
   * The first half of `advance`, for rounds with costly checks of each peer: a caller with several threads performs the
   * checks in parallel, and reaches the same step.
   */
  readonly examine?: (inbox: Inbox) => Examination<Output>;
}

/** The messages that a round expects from every other party. */
export interface Expectation {
  /**
   * A message that each party sends alike to all. "echo" requires agreement: before the round advances, the
   * session layer compares the broadcasts that all parties received (P12).
   */
  readonly broadcast: "none" | "plain" | "echo";
  /** A message for one receiver. "sealed" is also encrypted to the receiver's key. */
  readonly direct: "none" | "plain" | "sealed";
  /** largest payload in bytes; a longer one is a fault, and not decoded (P13) */
  readonly payloadBytesMax: number;
}

/** The messages of one round, one of each expected kind from every other party. */
export interface Inbox {
  readonly broadcast: (from: PartyIndex) => Uint8Array;
  readonly direct: (from: PartyIndex) => Uint8Array;
  /**
   * The broadcasts of this round as all parties signed them, ours included, and the echoes of the others:
   * evidence for faults in a later use of the values that this round agreed on. Absent in runs without signed
   * messages.
   */
  readonly signed?: () => readonly Envelope[];
}

/** A message of ours to the next round. */
export interface Outgoing {
  readonly to: PartyIndex | "all";
  readonly payload: Uint8Array;
}

/** The result of a round. */
export type Step<Output> =
  /** send these messages, which belong to `round`, then wait for those that `round` expects */
  | { readonly kind: "next"; readonly messages: readonly Outgoing[]; readonly round: Round<Output> }
  | { readonly kind: "output"; readonly output: Output }
  /** a peer cheated */
  | {
      readonly kind: "fault";
      readonly accusation: Accusation;
      /** public values that the check needs and no message holds; absent: none */
      readonly material?: Material;
    }
  /** no party can be shown to have caused this: everything of this session must be discarded */
  | { readonly kind: "abort"; readonly check: string };

/** The start of a protocol: computes our first messages and the first round. */
export type Start<Output> = (entropy: Entropy) => Step<Output>;

/** The result of checking one peer's messages. */
export type CheckResult =
  /** @param found values that only the check could compute, such as plaintexts */
  | { readonly kind: "stands"; readonly found: Secret<readonly bigint[]> }
  /** @param check of the accusation, such as "presign/2 Πaff-g of D" */
  | { readonly kind: "fails"; readonly check: string };

/**
 * The costly part of the checks of one peer's messages. It is deterministic and has no effects, so it gives the same result
 * on any thread and in any order.
 */
export interface PeerCheck {
  readonly peer: PartyIndex;
  /** Performs the check on this thread. */
  readonly perform: () => CheckResult;
  /**
   * Encodes the check (jobCodec of checks/job.ts) for another thread of this party, without any secret of the
   * session.
   */
  readonly job: () => Uint8Array;
}

/** A round that has all its messages and needs the results of its checks. */
export interface Examination<Output> {
  /** at most one for each peer, ascending; none for a peer that already failed a cheap check */
  readonly checks: readonly PeerCheck[];
  /**
   * Continues with the results. It asks for them in ascending order of peers and stops at the first failure,
   * so that the accusation does not depend on the order in which the checks were performed.
   */
  readonly conclude: (resultOf: (peer: PartyIndex) => CheckResult, entropy: Entropy) => Step<Output>;
}
