import { ERRORS } from "@conclave/custody";
import type { Logger } from "@conclave/platform/logger";
import { AlteredStore } from "@conclave/platform/vault";
import { signerFailed, storeAltered } from "./log-events.ts";

/** The change of the store by another, where an error comes of that; a write wraps it. */
const alteredIn = (error: unknown): AlteredStore | undefined => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AlteredStore) return cause;
  }
  return undefined;
};

/** Says why a signer cannot go on. Where it refuses its store, it says what helps, as a start does that refuses one. */
export const logLastWords = (log: Logger, error: unknown): void => {
  const altered = alteredIn(error);
  if (altered === undefined) {
    signerFailed(log, { err: error });
    return;
  }
  const { entry, message } = altered;
  storeAltered(`${message} ${ERRORS.StoreAltered.remedy}`)(log, { err: error, code: "StoreAltered", entry });
};
