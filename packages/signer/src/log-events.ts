import type { Quarantined, SessionReport, StoreRolledBack } from "@conclave/cluster";
import { logEvent } from "@conclave/platform/logger";
import type { SessionNames } from "./begun-sessions.ts";

/**
 * The events of a signer's log: never a payload, a secret or an address. The ids of a session are as its caller wrote them and prove nothing.
 */

type FailureReport = Extract<SessionReport, { readonly kind: "failure" }>;
type FaultReport = Extract<SessionReport, { readonly kind: "fault" }>;

/** Written once a session, when its presignatures are durably spent and before its partial signatures are made. */
export const signingReleased = logEvent<SessionNames>()(
  "info",
  "signing-released",
  "this signer releases its part of a signature",
);

export const sessionFailed = logEvent<SessionNames & Pick<FailureReport, "reason" | "silent">>()(
  "info",
  "session-failed",
  "a session failed",
);

export const commandRefused = logEvent<SessionNames & { readonly code: string }>()(
  "info",
  "command-refused",
  "a request was refused",
);

/** A second digest under one nonce is how a key is stolen (P6). */
export const presignatureAskedAgain = logEvent<
  SessionNames & { readonly code: string; readonly message: string }
>()("error", "presignature-asked-again", "a spent presignature was asked for again");

export const peerDeviated = logEvent<
  SessionNames & { readonly culprit: FaultReport["evidence"]["accused"]; readonly check: string }
>()("warn", "peer-deviated", "a peer deviated from the protocol");

export const envelopeDropped = logEvent<{ readonly to: number; readonly reason: string }>()(
  "warn",
  "envelope-dropped",
  "an envelope was dropped",
);

export const primesFound = logEvent<{ readonly done: number; readonly of: number }>()(
  "info",
  "primes-found",
  "primes",
);

export const primeSearchFailed = logEvent<{ readonly err: unknown }>()(
  "error",
  "prime-search-failed",
  "the search for primes failed",
);

export const workerDied = logEvent<{ readonly err: unknown; readonly sessions: number }>()(
  "error",
  "worker-died",
  "a worker died; another takes its place",
);

export const storeChecked = logEvent<{ readonly entries: number }>()(
  "debug",
  "store-checked",
  "all of the store is as this signer wrote it",
);

/** @param doubt why this process may be a copy */
export const copyDoubted = logEvent<{ readonly doubt: string }>()(
  "warn",
  "copy-doubted",
  "this signer may go on from a copy: its presignatures and open sessions are burnt",
);

interface SignedCount {
  readonly clusterId: string;
  readonly signer: number;
  readonly count: number;
  /** hex */
  readonly signature: string;
  /** hex */
  readonly bytes: string;
}

/** The line holds all that it takes to check this signer's own signature, which no other signer can make. */
export const storeRolledBack = (id: string) =>
  logEvent<Pick<StoreRolledBack, "shownBy" | "held"> & { readonly signed: SignedCount }>()(
    "error",
    "store-rolled-back",
    ({ held, signed }) =>
      `the store of ${id} is an old copy: it released ${signed.count} times, as it signed itself, and remembers ${held}. It signs with no key before its next epoch: run conclave refresh. Requests of before are signed no more here; those that show this as their reason wait for you: look at the chain, then abort them`,
  );

/** @param date that an operator gave, ISO 8601 */
export const mendingIgnored = logEvent<{ readonly date: string }>()(
  "warn",
  "mending-ignored",
  "CONCLAVE_MEND_CLOCK_MARKS is no date of the hour before this start, by this machine's clock: no mark is mended",
);

/** @param markedTo the furthest mark, ISO 8601 */
export const marksAhead = logEvent<{ readonly markedTo: string }>()(
  "warn",
  "marks-ahead",
  "the store's marks of time are far ahead of this machine's clock, which is wrong now, or was when they were written. If it is right now, start once with CONCLAVE_MEND_CLOCK_MARKS (SECURITY.md, uses of a signer's clock)",
);

export const peerQuarantined = logEvent<
  Pick<Quarantined, "signer" | "check" | "evidence" | "auxiliaryEpoch"> & { readonly proven: string }
>()(
  "warn",
  "peer-quarantined",
  "this signer proved a peer to cheat, and signs nothing with it. New auxiliary information lifts that (conclave refresh), or CONCLAVE_LIFT_QUARANTINE with the digest of this evidence (SECURITY.md, a proven cheat)",
);

export const signerFailed = logEvent<{ readonly err: unknown }>()(
  "fatal",
  "signer-failed",
  "the signer cannot go on",
);

/** @param remedy the sentences for people, of the error table */
export const storeAltered = (remedy: string) =>
  logEvent<{ readonly err: unknown; readonly code: "StoreAltered"; readonly entry: string }>()(
    "fatal",
    "store-altered",
    remedy,
  );
