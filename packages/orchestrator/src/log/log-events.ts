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

export const otherSignatureLanded = logEvent<
  OfRequest & { readonly txHash: string; readonly before: string | undefined }
>()(
  "warn",
  "other-signature-landed",
  "a transaction is on the chain with another signature than the one on record",
);

export const otherVersionLanded = logEvent<
  OfRequest & { readonly txHash: string; readonly before: string | undefined }
>()(
  "warn",
  "other-version-landed",
  "another version of a transaction is on the chain than the one on record",
);

export const unknownTransactionAdopted = logEvent<OfRequest & { readonly txHash: string }>()(
  "warn",
  "unknown-transaction-adopted",
  "the chain has a transaction that neither the database nor signers know",
);

export const recordsPutBack = logEvent<{ readonly mark: unknown; readonly before: unknown }>()(
  "error",
  "records-put-back",
  "the records were put back to an earlier moment: requests of before are looked for on their chains",
);

export const signedTransactionAdopted = logEvent<OfRequest>()(
  "warn",
  "signed-transaction-adopted",
  "signers have signed a transaction that the database does not know",
);

export const reasonNotWritten = logEvent<OfRequest & { readonly err: unknown }>()(
  "warn",
  "reason-not-written",
  "the reason of a wait is not written",
);

export const fateUnknown = logEvent<OfRequest & { readonly problem: unknown }>()(
  "warn",
  "fate-unknown",
  "nothing tells whether it can still land",
);

/** Such as when the node of an EVM network answers no JSON-RPC batches. */
export const verdictMissing = logEvent<OfRequest & { readonly problem: unknown }>()(
  "warn",
  "verdict-missing",
  "the chain node does not tell whether a transaction can still land",
);

export const lookNotRecorded = logEvent<OfRequest & { readonly err: unknown }>()(
  "error",
  "look-not-recorded",
  "what became of a transaction was not recorded",
);

export const waitingSentAgain = logEvent<OfRequest & { readonly outcome: unknown }>()(
  "debug",
  "waiting-sent-again",
  "a transaction that waits for long; sent again",
);

export const settledSentAgain = logEvent<OfRequest & { readonly outcome: unknown }>()(
  "debug",
  "settled-sent-again",
  "the chain does not know a settled transaction; sent again",
);

/** Written once a request; `stillUnknownSentAgain` is every further time. */
export const unknownSentAgain = logEvent<OfRequest & { readonly outcome: unknown }>()(
  "warn",
  "unknown-sent-again",
  "the chain does not know a broadcast transaction; sent again",
);

export const stillUnknownSentAgain = logEvent<OfRequest & { readonly outcome: unknown }>()(
  "debug",
  "still-unknown-sent-again",
  "the chain does not know a broadcast transaction; sent again",
);

export const requestsNotTaken = logEvent<{ readonly err: unknown }>()(
  "warn",
  "requests-not-taken",
  "requests that are due are not taken",
);

export const requestNotGivenBack = logEvent<OfRequest & { readonly err: unknown }>()(
  "warn",
  "request-not-given-back",
  "a request is not given back",
);

export const requestAwaitsOutage = logEvent<OfRequest & { readonly err: unknown }>()(
  "warn",
  "request-awaits-outage",
  "a request waits for what is away",
);

export const lookFailed = logEvent<
  OfRequest & { readonly err: unknown; readonly failures: number; readonly after: unknown }
>()("error", "look-failed", "a look at a request failed");

export const waitNotExplained = logEvent<OfRequest & { readonly err: unknown }>()(
  "error",
  "wait-not-explained",
  "a request that waits does not tell why",
);

export const signatureUnfit = logEvent<
  OfRequest & { readonly signatureId: string; readonly problem: unknown }
>()("error", "signature-unfit", "a signature does not fit what it is for");
