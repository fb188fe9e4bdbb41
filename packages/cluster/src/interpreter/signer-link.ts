import type { Problem } from "@conclave/custody";
import type { PartyIndex, SessionId } from "@conclave/threshold";
import type { Command } from "../control/command.ts";
import type { Lives } from "../control/lives.ts";
import type { SessionReport } from "../control/report.ts";
import type { CoordinatorEffect } from "../coordinator/effect.ts";

/** Receives the reports of a session that was begun, in order; after a final report or `lost` nothing follows. */
export interface StreamListener {
  readonly report: (report: SessionReport) => void;
  /** the stream ended without a final report: the signer died, or cannot be reached */
  readonly lost: (reason: string) => void;
}

/** A call about a key: to activate or discard a newly generated one, or to switch to a certified epoch. */
export type KeyQuestion = Extract<
  CoordinatorEffect<unknown>,
  { readonly kind: "activate" | "discard" | "switch" }
>;

/** A signer's answer to a `KeyQuestion`. */
export type AnswerOfKey =
  /** the state after the call; epoch 0 when absent */
  | { readonly kind: "key-state"; readonly state: "absent" | "pending" | "active"; readonly epoch: number }
  /** the epoch that is active at the signer now */
  | {
      readonly kind: "switched";
      readonly epoch: number;
      readonly handover?: Uint8Array;
      readonly isWaiting?: boolean;
    }
  | { readonly kind: "refused"; readonly problem: Problem }
  | { readonly kind: "unanswered" };

/** A session that is to begin: its id, and the lives of its signers; equal for each signer that is asked. */
export interface NamedSession {
  readonly session: SessionId;
  readonly lives: Lives;
}

/** The coordinator's access to the signers. A report may arrive at once, before the call has returned. */
export interface SignerLink {
  /** Asks a signer to begin a session. @returns what closes the stream, after which no more reports are delivered */
  readonly begin: (
    signer: PartyIndex,
    session: NamedSession,
    command: Command,
    listener: StreamListener,
  ) => { readonly cancel: () => void };
  /** @param answered called once */
  readonly ask: (question: KeyQuestion, answered: (answer: AnswerOfKey) => void) => void;
  /** Does not wait for an answer: presignatures that a signer still has are later found as orphans. */
  readonly discardPresignatures: (signer: PartyIndex, ids: readonly string[]) => void;
  /** the lives that signers showed; signers that showed none are missing */
  readonly lives: () => Lives;
  /** the signers that may take part now, ascending */
  readonly live: () => readonly PartyIndex[];
  /** the signers that answer but may take part in nothing new: they may finish what they have begun. None by default */
  readonly apart?: () => readonly PartyIndex[];
  /** Calls back whenever these signers change. @returns what ends the subscription */
  readonly onChange: (changed: () => void) => () => void;
}
