import { z } from "zod";
import { waitUntil } from "./host/wait-until.ts";

const REQUEST_TIMEOUT_MS = 90_000;
const STATUS_POLL_MS = 50;
const UNAVAILABLE = 503;
/** The longest time that a signer on a busy machine may fail to answer. */
const SILENT_MS = 60_000;
const SERVED_POLL_MS = 1_000;

const walletSchema = z.object({
  id: z.string(),
  network: z.string(),
  status: z.string(),
  address: z.templateLiteral(["0x", z.string()]),
  signingKey: z.object({ id: z.string(), publicKey: z.string() }),
});
export type ApiWallet = z.infer<typeof walletSchema>;

const transferSchema = z.object({
  id: z.string(),
  walletId: z.string(),
  status: z.enum(["Pending", "Executing", "Broadcasted", "Confirmed", "Failed", "Rejected"]),
  reason: z.string().optional(),
  fee: z.string().optional(),
  txHash: z.templateLiteral(["0x", z.string()]).optional(),
});
export type ApiTransfer = z.infer<typeof transferSchema>;

const transactionSchema = transferSchema.extend({
  replacementId: z.string().optional(),
  details: z
    .looseObject({ nonce: z.int(), contractAddress: z.templateLiteral(["0x", z.string()]).optional() })
    .optional(),
});
export type ApiTransaction = z.infer<typeof transactionSchema>;

const signatureSchema = z.object({
  id: z.string(),
  status: z.enum(["Pending", "Executing", "Signed", "Failed", "Rejected"]),
  reason: z.string().optional(),
});
export type ApiSignature = z.infer<typeof signatureSchema>;

const errorSchema = z.object({
  error: z.object({
    id: z.string(),
    status: z.number(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
});

export type ApiTransferBody =
  | { readonly kind: "Native"; readonly to: string; readonly amount: string }
  | { readonly kind: "Erc20"; readonly contract: string; readonly to: string; readonly amount: string }
  | { readonly kind: "Erc721"; readonly contract: string; readonly to: string; readonly tokenId: string };

/** An error answer of the API; `details.code` is a code of the error table. */
class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, details: Readonly<Record<string, unknown>>) {
    super(`${status}: ${message} ${JSON.stringify(details)}`);
    this.status = status;
    this.details = details;
  }
}

export interface RawAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A small REST client for the demo, benchmarks and tests. */
export class CustodyApi {
  readonly #url: string;
  readonly #token: string;

  /** milliseconds between two polls of a request */
  readonly pollMs: number;

  constructor(url: string, token: string, pollMs = STATUS_POLL_MS) {
    this.#url = url;
    this.#token = token;
    this.pollMs = pollMs;
  }

  /** Sends any request and returns the answer, including error answers. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RawAnswer> {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json", ...headers },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  /**
   * Repeats a request while the answer is 503: key generation needs every signer, and on a busy machine one may briefly
   * fail to answer.
   */
  sendUntilServed(method: string, path: string, body: unknown): Promise<RawAnswer> {
    let last = "never asked";
    return waitUntil(
      async () => {
        const answer = await this.send(method, path, body);
        last = JSON.stringify(answer.body);
        return answer.status === UNAVAILABLE ? undefined : answer;
      },
      { what: () => `${method} ${path}: ${last}`, deadlineMs: SILENT_MS, pollMs: SERVED_POLL_MS },
    );
  }

  async #ask<T>(schema: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T> {
    return parsed(schema, await this.send(method, path, body));
  }

  /** Rejects with an ApiError. */
  async createWallet(network: string, name: string): Promise<ApiWallet> {
    return parsed(walletSchema, await this.sendUntilServed("POST", "/wallets", { network, name }));
  }

  transfer(walletId: string, body: ApiTransferBody): Promise<ApiTransfer> {
    return this.#ask(transferSchema, "POST", `/wallets/${walletId}/transfers`, body);
  }

  readTransfer(walletId: string, transferId: string): Promise<ApiTransfer> {
    return this.#ask(transferSchema, "GET", `/wallets/${walletId}/transfers/${transferId}`);
  }

  /** Requests a signature that is not broadcast. The answer usually comes after the signers have signed. */
  sign(walletId: string, body: Readonly<Record<string, unknown>>): Promise<ApiSignature> {
    return this.#ask(signatureSchema, "POST", `/wallets/${walletId}/signatures`, body);
  }

  transaction(walletId: string, body: Readonly<Record<string, unknown>>): Promise<ApiTransaction> {
    return this.#ask(transactionSchema, "POST", `/wallets/${walletId}/transactions`, body);
  }

  readTransaction(walletId: string, transactionId: string): Promise<ApiTransaction> {
    return this.#ask(transactionSchema, "GET", `/wallets/${walletId}/transactions/${transactionId}`);
  }

  /** Replaces a transfer or transaction that is not confirmed yet. */
  replace(
    { id, walletId }: Pick<ApiTransfer, "id" | "walletId">,
    action: "speed-up" | "cancel",
  ): Promise<ApiTransaction> {
    const collection = id.startsWith("tx-") ? "transactions" : "transfers";
    return this.#ask(transactionSchema, "POST", `/wallets/${walletId}/${collection}/${id}/${action}`, {});
  }

  /** Reads a transaction until it satisfies `reached`. */
  followTransaction(
    { id, walletId }: Pick<ApiTransaction, "id" | "walletId">,
    reached: (current: ApiTransaction) => boolean,
    deadlineMs: number,
  ): Promise<ApiTransaction> {
    let last = "never read";
    return waitUntil(
      async () => {
        const current = await this.readTransaction(walletId, id).catch(passing);
        last = `${current?.status} ${current?.reason ?? ""}`;
        return current !== undefined && reached(current) ? current : undefined;
      },
      { what: () => `transaction ${id} (last seen: ${last})`, deadlineMs, pollMs: this.pollMs },
    );
  }

  /**
   * Reads a transfer until it satisfies `reached`. Rejects at once if the transfer is Failed or Rejected before that.
   * @param deadlineMs maximum time, in milliseconds
   */
  follow(
    transfer: Pick<ApiTransfer, "id" | "walletId">,
    reached: (current: ApiTransfer) => boolean,
    deadlineMs: number,
  ): Promise<ApiTransfer> {
    let last = "never read";
    return waitUntil(
      async () => {
        const current = await this.readTransfer(transfer.walletId, transfer.id).catch(passing);
        if (current === undefined) return undefined;
        last = `${current.status} ${current.reason ?? ""}`;
        if (reached(current)) return current;
        if (current.status === "Failed" || current.status === "Rejected") {
          throw new Error(`transfer ${current.id} ended ${last}`);
        }
        return undefined;
      },
      { what: () => `transfer ${transfer.id} (last seen: ${last})`, deadlineMs, pollMs: this.pollMs },
    );
  }

  confirmed(transfer: Pick<ApiTransfer, "id" | "walletId">, deadlineMs: number): Promise<ApiTransfer> {
    return this.follow(transfer, ({ status }) => status === "Confirmed", deadlineMs);
  }
}

/** @throws ApiError for every status but 200 */
const parsed = <T>(schema: z.ZodType<T>, answer: RawAnswer): T => {
  if (answer.status === 200) return schema.parse(answer.body);
  const { error } = errorSchema.parse(answer.body);
  throw new ApiError(answer.status, error.message, error.details);
};

/** Ignores the error of a gateway that is being restarted, so that the caller reads again. */
const passing = (cause: unknown): undefined => {
  if (cause instanceof TypeError) return undefined;
  if (cause instanceof ApiError && cause.status === UNAVAILABLE) return undefined;
  throw cause;
};
