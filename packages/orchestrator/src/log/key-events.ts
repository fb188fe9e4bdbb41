import type { Problem } from "@conclave/custody";
import { logEvent } from "@conclave/platform";

/** The events of keys in an orchestrator's log: never a payload, a secret or an address. */

interface OfKey {
  readonly keyId: string;
}

/** @param requestId of the request for the export */
interface OfExport extends OfKey {
  readonly requestId: string;
}

export const keyMade = logEvent<OfKey & { readonly scheme: string; readonly origin: string }>()(
  "info",
  "key-made",
  "key made",
);

export const keyNotMade = logEvent<OfKey & { readonly problem: Problem }>()(
  "warn",
  "key-not-made",
  "key generation failed",
);

export const keyExported = logEvent<OfExport>()("info", "key-exported", "a key was exported");

export const keyNotExported = logEvent<OfExport & { readonly problem: Problem }>()(
  "warn",
  "key-not-exported",
  "a key was not exported",
);

export const pendingShareSettled = logEvent<
  OfKey & {
    readonly signer: number;
    /** the status of the key */
    readonly key: string;
    /** the state of the share after that, or the code of the refusal */
    readonly answer: string;
  }
>()("info", "pending-share-settled", "a pending share is settled");

export const pendingShareNotSettled = logEvent<OfKey & { readonly err: unknown }>()(
  "error",
  "pending-share-not-settled",
  "a pending share is not settled: the record of its key cannot be read",
);
