import type { AskedTransfer } from "./asked-transfer.ts";

/** How far a transfer was seen to be. "signed" has a hash, and is not broadcast yet as far as its state says. */
export type SeenStage = "accepted" | "signed" | "broadcast" | "confirmed";

/** A gateway's final answer to a request that was repeated until there was an answer. */
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

/** A transfer of the load: what was asked, and what was seen of it from outside. All times are Unix milliseconds. */
export interface LoadRequest {
  readonly asked: AskedTransfer;
  readonly externalId: string;
  readonly walletId: string;
  readonly askedAtMs: number;
  /** calls that were made until one was answered */
  readonly calls: number;
  readonly answer: LoadAnswer | undefined;
  /** when each stage was first seen */
  readonly seen: Readonly<Partial<Record<SeenStage, number>>>;
  /** its status and its reason, each time that they changed */
  readonly states: readonly StateWords[];
  readonly end: SeenEnd | undefined;
}

/** A wallet that the load pays from. */
export interface LoadWallet {
  readonly id: string;
  readonly network: string;
  readonly address: string;
  readonly keyId: string;
  /** whether a policy wants an approval for what it sends */
  readonly isGuarded: boolean;
  /** the faucet's payment, in the smallest unit */
  readonly funded: bigint;
}

/** An answer that no call of the load deserves: a 4xx other than 429, a 500, or one that shows something else than was asked for. */
export interface WrongAnswer {
  readonly call: string;
  readonly status: number;
  readonly words: string;
}

/** One delivery to the load's webhook. */
export interface HeardDelivery {
  readonly kind: string;
  /** of the transfer or approval that it tells of */
  readonly resourceId: string;
  /** of the event: with kind and resource it names the event */
  readonly date: string;
  /** its data of the resource, as `contentText` writes it */
  readonly content: string;
  readonly isSignedRight: boolean;
  readonly answered: 200 | 500;
}

/** The requests and observations of the load. */
export interface LoadHistory {
  readonly seed: number;
  readonly orgId: string;
  readonly approverId: string;
  readonly beganAtMs: number;
  readonly wallets: readonly LoadWallet[];
  readonly requests: readonly LoadRequest[];
  /** transfers that were not asked for, because too many before them had no answer */
  readonly skipped: number;
  readonly wrongAnswers: readonly WrongAnswer[];
  readonly deliveries: readonly HeardDelivery[];
}
