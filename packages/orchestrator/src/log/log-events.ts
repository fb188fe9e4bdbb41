import { logEvent } from "@conclave/platform/logger";

/** The events of an orchestrator's log: never a payload, a secret or an address. */

interface OfRequest {
  readonly requestId: string;
}

export const requestBegun = logEvent<OfRequest>()("info", "request-begun", "request begun");

export const requestSigned = logEvent<
  OfRequest & {
    readonly txHash: string;
    readonly quorum: readonly number[];
    readonly attempts: number;
    /** whether presignatures of the stock were used */
    readonly path: string;
  }
>()("info", "request-signed", "request signed");

export const requestBroadcast = logEvent<OfRequest & { readonly txHash: string | undefined }>()(
  "info",
  "request-broadcast",
  "request broadcast",
);

/** @param succeeded whether the chain executed the transaction without reverting it */
export const requestSettled = logEvent<
  OfRequest & { readonly txHash: string | undefined; readonly succeeded: boolean; readonly fee: string }
>()("info", "request-settled", "transaction settled");

export const settlementUndone = logEvent<
  OfRequest & { readonly status: string; readonly blockHash: string | undefined }
>()("warn", "settlement-undone", "a reorganisation undid what settled a request");

export const signaturesUnfit = logEvent<OfRequest & { readonly problem: unknown }>()(
  "error",
  "signatures-unfit",
  "signatures do not fit their keys",
);

export const requestUnserved = logEvent<OfRequest & { readonly network: string }>()(
  "error",
  "request-unserved",
  "a request's wallet or network is not served",
);

export const signatureBegun = logEvent<OfRequest>()("info", "signature-begun", "signature begun");

export const signatureMade = logEvent<
  OfRequest & { readonly signatureId: string; readonly quorum: readonly number[] }
>()("info", "signature-made", "signature made");

/** A session that signers report on: `keyId` and `requestId` stand in the lines of the signers. */
interface OfSession {
  readonly signer: number;
  /** the session id, 64 lower-case hex digits */
  readonly session: string;
}

export const sessionBegun = logEvent<OfSession>()("debug", "session-begun", "session begun");

export const sessionLost = logEvent<OfSession & { readonly reason: string }>()(
  "warn",
  "session-lost",
  "session lost",
);

export const signerDeviated = logEvent<{
  readonly culprit: number;
  readonly reporter: number;
  readonly session: string;
  readonly check: string;
  readonly sentence: string;
}>()("error", "signer-deviated", "a signer deviated from the protocol");

export const faultNotStored = logEvent<{
  readonly err: unknown;
  readonly culprit: number;
  readonly check: string;
}>()("error", "fault-not-stored", "a fault is not stored");
