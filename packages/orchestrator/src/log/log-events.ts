import { logEvent } from "@conclave/platform/logger";

/** The events of requests in an orchestrator's log: never a payload, a secret or an address. */

interface OfRequest {
  readonly requestId: string;
}

export const requestBegun = logEvent<OfRequest>()("info", "request-begun", "request begun");

interface Signed extends OfRequest {
  readonly keyId: string;
  /** the session of the last part */
  readonly session: string;
  /** number of sessions that were begun, of all parts */
  readonly attempts: number;
  readonly quorum: readonly number[];
  /** whether presignatures of the stock were used */
  readonly path: string;
}

export const requestSigned = logEvent<Signed & { readonly txHash: string }>()(
  "info",
  "request-signed",
  "request signed",
);

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

export const signatureMade = logEvent<Signed>()("info", "signature-made", "signature made");

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

export const landedVersionAway = logEvent<OfRequest & { readonly problem: unknown }>()(
  "debug",
  "landed-version-away",
  "a version that landed is not taken over",
);

export const landedVersionUnfit = logEvent<OfRequest & { readonly problem: unknown }>()(
  "warn",
  "landed-version-unfit",
  "a version that landed is not taken over",
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

/** For example when the node of an EVM network answers no JSON-RPC batches. */
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

/** Logged once for a request; `stillUnknownSentAgain` is logged every further time. */
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

export const signatureUnfit = logEvent<OfRequest & { readonly problem: unknown }>()(
  "error",
  "signature-unfit",
  "a signature does not fit what it is for",
);

export const requestsTakenOver = logEvent<{ readonly count: number }>()(
  "info",
  "requests-taken-over",
  "requests of an orchestrator that ended are due",
);

export const parkedTakenUp = logEvent<{ readonly count: number }>()(
  "warn",
  "parked-taken-up",
  "requests that were put aside are looked at again",
);

export const approvalNotExpired = logEvent<{ readonly approvalId: string; readonly err: unknown }>()(
  "error",
  "approval-not-expired",
  "an approval whose time is over is not ended",
);

export const headUnread = logEvent<{ readonly network: string; readonly problem: unknown }>()(
  "warn",
  "head-unread",
  "the head of a chain is not read: transactions are asked for one by one",
);

export const blockUnread = logEvent<{
  readonly network: string;
  readonly height: bigint;
  readonly problem: unknown;
}>()("warn", "block-unread", "a block is not read for confirmations: transactions are asked for one by one");
