import type { RawAnswer } from "@conclave/testbed";
import type { AskedTransfer } from "./asked-transfer.ts";
import type {
  LoadAnswer,
  LoadHistory,
  LoadRequest,
  LoadWallet,
  SeenEnd,
  SeenStage,
  StateWords,
  WrongAnswer,
} from "./history.ts";
import type { WebhookEar } from "./webhook-ear.ts";

const WORDS_MAX = 500;
const WRONG_ANSWERS_MAX = 1_000;
const BAD_REQUEST = 400;
const TOO_MANY = 429;
const SERVER_ERROR = 500;

/** A request that the load follows. */
export interface FollowedRequest extends LoadRequest {
  calls: number;
  answer: LoadAnswer | undefined;
  readonly seen: Partial<Record<SeenStage, number>>;
  readonly states: StateWords[];
  end: SeenEnd | undefined;
}

/** The initial record of a load. */
export interface LoadBegin {
  readonly seed: number;
  readonly orgId: string;
  readonly approverId: string;
  readonly beganAtMs: number;
  readonly wallets: readonly LoadWallet[];
}

/**
 * Whether this status is wrong for any call of the load: INV-9 allows no 500 for any input; 502 to 504 say that a part is
 * unavailable.
 */
export const isWrongAnswer = (status: number): boolean =>
  (status >= BAD_REQUEST && status < SERVER_ERROR && status !== TOO_MANY) || status === SERVER_ERROR;

/** Records a load's requests and observations, with bounded memory per request. */
export class LoadRecord implements LoadHistory {
  readonly seed: number;
  readonly orgId: string;
  readonly approverId: string;
  readonly beganAtMs: number;
  readonly wallets: readonly LoadWallet[];
  readonly requests: FollowedRequest[] = [];
  readonly wrongAnswers: WrongAnswer[] = [];
  skipped = 0;
  readonly #ear: WebhookEar;
  readonly #waiting = new Set<() => void>();

  constructor({ seed, orgId, approverId, beganAtMs, wallets }: LoadBegin, ear: WebhookEar) {
    this.seed = seed;
    this.orgId = orgId;
    this.approverId = approverId;
    this.beganAtMs = beganAtMs;
    this.wallets = wallets;
    this.#ear = ear;
  }

  get deliveries(): LoadHistory["deliveries"] {
    return this.#ear.heard;
  }

  add(asked: AskedTransfer, walletId: string): FollowedRequest {
    const request: FollowedRequest = {
      asked,
      externalId: `load-${this.seed}-${asked.number}`,
      walletId,
      askedAtMs: Date.now(),
      calls: 0,
      answer: undefined,
      seen: {},
      states: [],
      end: undefined,
    };
    this.requests.push(request);
    return request;
  }

  note(call: string, answer: RawAnswer): void {
    if (isWrongAnswer(answer.status)) this.noteWrong(call, answer);
  }

  /** Records an answer that is wrong whatever its status. */
  noteWrong(call: string, { status, body }: RawAnswer): void {
    if (this.wrongAnswers.length === WRONG_ANSWERS_MAX) return;
    this.wrongAnswers.push({ call, status, words: JSON.stringify(body ?? "").slice(0, WORDS_MAX) });
  }

  /** Wakes the callers that wait for a change. */
  changed(): void {
    for (const look of this.#waiting) look();
  }

  /** Resolves once the condition holds; it is evaluated after each change. */
  async until(isSo: () => boolean, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (isSo()) return;
    await new Promise<void>((resolve, reject) => {
      const end = (finish: () => void): void => {
        this.#waiting.delete(look);
        signal?.removeEventListener("abort", giveUp);
        finish();
      };
      const look = (): void => {
        if (isSo()) end(resolve);
      };
      const giveUp = (): void => end(() => reject(signal?.reason));
      this.#waiting.add(look);
      signal?.addEventListener("abort", giveUp);
    });
  }
}
