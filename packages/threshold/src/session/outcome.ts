import type { Accusation } from "../fault.ts";
import type { Material } from "./material.ts";
import type { SignedMessage } from "./signed-message.ts";

/**
 * A peer that deviated, with the messages that show it. Together with its attempt it becomes evidence
 * (blame/evidence.ts).
 */
export interface Fault extends Accusation {
  /** messages of the session, each signed by its sender */
  readonly messages: readonly SignedMessage[];
  readonly material: Material;
}

/** The reason why an envelope had no effect; it blames nobody (INV-7). */
export type IgnoreReason =
  | "duplicate"
  /** for a round that is over */
  | "stale"
  /** from another session, or not from a party of this one */
  | "foreign"
  | "unsigned"
  /** for another receiver, or with an invalid receiver for its kind */
  | "misaddressed"
  /** of a kind that the round does not expect */
  | "unexpected"
  | "finished"
  /** too early or too large to keep: the sender may send it again later */
  | "overfull";

/** The state of a session: it is running, or it ended in one of three ways. */
export type Outcome<Output> =
  | { readonly kind: "running"; readonly round: number }
  | { readonly kind: "output"; readonly output: Output }
  | { readonly kind: "fault"; readonly fault: Fault }
  | { readonly kind: "abort"; readonly check: string };
