import type { Problem } from "@conclave/custody";
import {
  type AuthorisedRecord,
  type AuthorisedTable,
  countedEvent,
  type DeclaredCounter,
  logEvent,
  type MigrationNews,
} from "@conclave/platform";
import type { BumpOutcome } from "./fee-bump/decide-bump.ts";

/** The events of a gateway's log: never a payload, a secret or an address. */

interface Failure {
  readonly err: unknown;
}

/** @param requestId of the transfer, transaction or signature */
interface OfRequest {
  readonly requestId: string;
}

/** The fields of every line about an HTTP request. */
interface OfHttpRequest {
  /** the `x-request-id` of the answer */
  readonly httpRequestId: string;
}

interface OfNetwork {
  readonly network: string;
}

/** The ids of an authorisation's request, or of its key. */
type OfAuthorisation = { readonly table: AuthorisedTable } & (OfRequest | { readonly keyId: string });

/** The ids of an authorised record, for log events. */
export const authorisedNames = ({ table, id }: AuthorisedRecord): OfAuthorisation =>
  table === "keys" ? { table, keyId: id } : { table, requestId: id };

/** Written once an HTTP request is answered. */
export const httpRequestAnswered = logEvent<
  OfHttpRequest & {
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly seconds: number;
    readonly orgId: string | undefined;
  }
>()("info", "http-request-answered", "request");

export const httpRequestFailed = logEvent<OfHttpRequest & Failure>()(
  "error",
  "http-request-failed",
  "a request failed",
);

/** Logged when an identity provider does not answer as it should, or does not vouch for a login. */
export const identityProviderFailed = logEvent<{ readonly issuer: string; readonly reason: string }>()(
  "warn",
  "identity-provider-failed",
  "an identity provider did not vouch for a login",
);

/** Logged when the shared counter of requests in the database cannot be reached. */
export const requestsCountedAlone = logEvent<Failure>()(
  "warn",
  "requests-counted-alone",
  "this gateway counts requests for itself",
);

/** Logged once the request is committed: from then on it reaches an end. */
export const requestAccepted = logEvent<OfRequest & { readonly status: string }>()(
  "info",
  "request-accepted",
  "request accepted",
);

export const databaseAwaited = logEvent<{ readonly reason: string }>()(
  "warn",
  "database-awaited",
  "waiting for the database that DATABASE_URL names",
);

export const databaseMigrating = logEvent<MigrationNews>()(
  "info",
  "database-migrating",
  "migrating the database",
);

/** @param applied the names of the migrations */
export const databaseMigrated = logEvent<{ readonly applied: readonly string[] }>()(
  "info",
  "database-migrated",
  "migrated the database",
);

export const busStatusHeard = logEvent<{ readonly status: string }>()("info", "bus-status", "message bus");

export const pruningFailed = logEvent<Failure & { readonly table: string }>()(
  "warn",
  "pruning-failed",
  "what is too old stays for now",
);

interface ClocksApart {
  /** this machine's clock minus the database's */
  readonly aheadMs: number;
}

export const clocksCameApart = logEvent<ClocksApart>()(
  "warn",
  "clocks-came-apart",
  "the clock is not the database's: nothing is accepted",
);

export const clocksAgree = logEvent<ClocksApart>()(
  "info",
  "clocks-agree",
  "the clock is the database's again",
);

export const databaseTimeUnknown = logEvent<Failure>()(
  "warn",
  "database-time-unknown",
  "the database does not tell its time",
);

export const activationsFailed = logEvent<Failure>()(
  "warn",
  "activations-failed",
  "a key that was made waits to be activated",
);

export const keyActivated = logEvent<{ readonly keyId: string }>()("info", "key-activated", "key created");

export const keyNotActivated = logEvent<{ readonly keyId: string; readonly problem: Problem }>()(
  "error",
  "key-not-activated",
  "a key that signers made is not activated",
);

export const renewalsFailed = logEvent<Failure>()(
  "warn",
  "renewals-failed",
  "authorisations wait to be signed anew",
);

export const rightUnreadable = logEvent<OfAuthorisation & Failure>()(
  "error",
  "right-unreadable",
  "not signed anew: its record, or that of its requester, cannot be read",
);

export const rightlessEnded = logEvent<OfAuthorisation & { readonly reason: string }>()(
  "warn",
  "rightless-ended",
  "ended: its requester has lost the right to it",
);

export const rightlessNotEnded = logEvent<OfAuthorisation & Failure>()(
  "warn",
  "rightless-not-ended",
  "not ended: its requester has lost the right to it",
);

export const unrenewableEnded = logEvent<OfAuthorisation>()(
  "warn",
  "unrenewable-ended",
  "failed: this authority did not sign what is wanted",
);

export const unrenewableNotEnded = logEvent<OfAuthorisation & Failure>()(
  "warn",
  "unrenewable-not-ended",
  "this authority did not sign what is wanted",
);

export const deathQuestionsFailed = logEvent<Failure>()(
  "warn",
  "death-questions-failed",
  "transactions that may be dead wait to be looked at",
);

export const transactionNotDead = logEvent<OfRequest>()(
  "warn",
  "transaction-not-dead",
  "a transaction was said to be dead and is not",
);

export const transactionsDead = logEvent<OfRequest & { readonly reason: string }>()(
  "info",
  "transactions-dead",
  "the transactions of a request are dead",
);

export const coinLooksFailed = logEvent<OfNetwork & Failure>()(
  "warn",
  "coin-looks-failed",
  "coins were not gathered",
);

export const coinLookFailed = logEvent<Failure & { readonly walletId: string }>()(
  "error",
  "coin-look-failed",
  "coins of a wallet were not gathered",
);

interface OfCoins {
  readonly walletId: string;
  /** number of the wallet's coins */
  readonly coins: number;
}

export const gatheringRefused = logEvent<OfCoins & { readonly reason: string }>()(
  "warn",
  "gathering-refused",
  "coins of a wallet are not gathered",
);

export const gatheringAccepted = logEvent<OfCoins & OfRequest & { readonly status: string }>()(
  "info",
  "gathering-accepted",
  "coins are gathered",
);

export const feeLooksFailed = logEvent<OfNetwork & Failure>()(
  "warn",
  "fee-looks-failed",
  "transactions that wait were not looked at",
);

export const feeLookFailed = logEvent<OfRequest & Failure>()(
  "error",
  "fee-look-failed",
  "a transaction that waits was not looked at",
);

export const FEE_BUMPS: DeclaredCounter<"network" | "outcome"> = {
  name: "conclave_fee_bumps_total",
  help: "Transactions that waited for many blocks, by network and by what became of that",
  labelNames: ["network", "outcome"],
};

export const feeRaised = countedEvent<OfRequest & OfNetwork & { readonly replacementId: string }>()(
  "info",
  "fee-raised",
  "the fee of a transaction that waits is raised",
  { counter: FEE_BUMPS, labels: ({ network }) => ({ network, outcome: "raised" }) },
);

export const feeNotRaised = countedEvent<
  OfRequest & OfNetwork & { readonly outcome: BumpOutcome; readonly reason: string }
>()("warn", "fee-not-raised", "the fee of a transaction that waits is not raised", {
  counter: FEE_BUMPS,
  labels: ({ network, outcome }) => ({ network, outcome }),
});

export const bulkJobsNotCarriedOn = logEvent<Failure>()(
  "warn",
  "bulk-jobs-not-carried-on",
  "jobs that make many wallets wait",
);

export const bulkJobNotCarriedOn = logEvent<Failure & { readonly jobId: string }>()(
  "error",
  "bulk-job-not-carried-on",
  "a job that makes many wallets waits",
);

export const bulkJobEnded = logEvent<{
  readonly jobId: string;
  readonly status: string;
  readonly completedCount: number;
  readonly totalCount: number;
}>()("info", "bulk-job-ended", "a job that makes many wallets has ended");

/** @param missing the number of movements that were not on record */
export const transactionReindexed = logEvent<
  OfNetwork & { readonly height: bigint; readonly missing: number }
>()("info", "transaction-reindexed", "a transaction that somebody named is recorded");
