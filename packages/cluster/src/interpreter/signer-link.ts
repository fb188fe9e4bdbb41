import type { Problem } from "@conclave/custody";
import type { PartyIndex, SessionId } from "@conclave/threshold";
import type { Command } from "../control/command.ts";
import type { Lives } from "../control/lives.ts";
import type { SessionReport } from "../control/report.ts";
import type { CoordinatorEffect } from "../coordinator/effect.ts";

/** Reports of a session that was begun: reports in order, then nothing after a last word or `lost`. */
export interface StreamListener {
  readonly report: (report: SessionReport) => void;
  /** the stream ended without a last word: the signer died, or cannot be reached */
  readonly lost: (reason: string) => void;
}

/** The request about a key: to activate or discard it as it was generated, or to switch to a certified epoch. */
export type KeyQuestion = Extract<
  CoordinatorEffect<unknown>,
  { readonly kind: "activate" | "discard" | "switch" }
>;

/** A signer's answer to that. */
export type AnswerOfKey =
  /** its holdings then; epoch 0 when absent */
  | { readonly kind: "key-state"; readonly state: "absent" | "pending" | "active"; readonly epoch: number }
  /** the epoch that is active there now */
  | {
      readonly kind: "switched";
      readonly epoch: number;
      readonly handover?: Uint8Array;
      readonly isWaiting?: boolean;
    }
  | { readonly kind: "refused"; readonly problem: Problem }
  | { readonly kind: "unanswered" };

/** A session that is to begin: its id, and the lives of the signers, the same for each signer that is asked. */
export interface NamedSession {
  readonly session: SessionId;
  readonly lives: Lives;
}

/** How a coordinator reaches the signers. A report may arrive at once, before the call has returned. */
export interface SignerLink {
  /** Asks a signer to begin a session. @returns what closes the stream, after which nothing more is heard of it */
  readonly begin: (
    signer: PartyIndex,
    session: NamedSession,
    command: Command,
    listener: StreamListener,
  ) => { readonly cancel: () => void };
  /** @param answered called once */
  readonly ask: (question: KeyQuestion, answered: (answer: AnswerOfKey) => void) => void;
  /** Nobody waits for an answer: a signer that misses this still has them, and they are found later as orphans. */
  readonly discardPresignatures: (signer: PartyIndex, ids: readonly string[]) => void;
  /** the lives that signers showed; of those that showed none, nothing */
  readonly lives: () => Lives;
  /** those who may take part now, ascending */
  readonly live: () => readonly PartyIndex[];
  /** those who answer and may not take part now: what they have begun they may end. None, unless it is said */
  readonly apart?: () => readonly PartyIndex[];
  /** Calls back whenever that changes. @returns what ends it */
  readonly onChange: (changed: () => void) => () => void;
}
