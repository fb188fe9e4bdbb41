import type { AskedTransfer } from "./asked-transfer.ts";

/** The stages at which a transfer was seen. "signed": it has a hash, but its state is not yet broadcast. */
export type SeenStage = "accepted" | "signed" | "broadcast" | "confirmed";

/** A gateway's final answer to a request, which is repeated until it is answered. */
export type LoadAnswer =
  | { readonly kind: "accepted"; readonly id: string; readonly atMs: number }
  | { readonly kind: "refused"; readonly status: number; readonly words: string; readonly atMs: number };

export interface SeenEnd {
  readonly status: "Confirmed" | "Failed" | "Rejected";
  readonly reason: string | undefined;
  readonly txHash: string | undefined;
  readonly atMs: number;
}

export interface StateWords {
  readonly words: string;
  readonly atMs: number;
}

/** A transfer of the load: the request, and what was observed from outside. All times are Unix milliseconds. */
export interface LoadRequest {
  readonly asked: AskedTransfer;
  readonly externalId: string;
  readonly walletId: string;
  readonly askedAtMs: number;
  /** number of calls until one was answered */
  readonly calls: number;
  readonly answer: LoadAnswer | undefined;
  /** when each stage was first seen */
  readonly seen: Readonly<Partial<Record<SeenStage, number>>>;
  /** status and reason at each change */
  readonly states: readonly StateWords[];
  readonly end: SeenEnd | undefined;
}

/** A wallet that the load pays from. */
export interface LoadWallet {
  readonly id: string;
  readonly network: string;
  readonly address: string;
  readonly keyId: string;
  /** whether a policy requires an approval for its transfers */
  readonly isGuarded: boolean;
  /** the faucet's payment, in the smallest unit */
  readonly funded: bigint;
}

/**
 * An answer that is wrong for any call of the load: a 4xx other than 429, a 500, or one that shows something other than was
 * requested.
 */
export interface WrongAnswer {
  readonly call: string;
  readonly status: number;
  readonly words: string;
}

/** One delivery to the load's webhook. */
export interface HeardDelivery {
  readonly kind: string;
  /** of the event's transfer or approval */
  readonly resourceId: string;
  /** of the event; kind, resource and date together name it */
  readonly date: string;
  /** its data about the resource, as `contentText` writes it */
  readonly content: string;
  readonly isSignedRight: boolean;
  readonly answered: 200 | 500;
}

/** The requests of the load, with all observations. */
export interface LoadHistory {
  readonly seed: number;
  readonly orgId: string;
  readonly approverId: string;
  readonly beganAtMs: number;
  readonly wallets: readonly LoadWallet[];
  readonly requests: readonly LoadRequest[];
  /** number of transfers that were not requested, because too many earlier ones were unanswered */
  readonly skipped: number;
  readonly wrongAnswers: readonly WrongAnswer[];
  readonly deliveries: readonly HeardDelivery[];
}
