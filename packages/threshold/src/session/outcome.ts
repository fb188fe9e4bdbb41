import type { Accusation } from "../fault.ts";
import type { Evidence } from "./evidence.ts";

/** A peer that deviated, with what it signed (evidence.ts says what a third party can check with it). */
export interface Fault extends Accusation {
  readonly evidence: readonly Evidence[];
}

/** Why an envelope had no effect; it blames nobody (INV-7). */
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

/** Where a session stands: it runs, or it ended in one of three ways. */
export type Outcome<Output> =
  | { readonly kind: "running"; readonly round: number }
  | { readonly kind: "output"; readonly output: Output }
  | { readonly kind: "fault"; readonly fault: Fault }
  | { readonly kind: "abort"; readonly check: string };
