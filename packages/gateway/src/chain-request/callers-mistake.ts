import type { Problem } from "@conclave/custody";
import { z } from "zod";

/** limit in characters: enough to show addresses, chain ids and hashes, but not whole calls */
const SHOWN_MAX = 128;
const NOTHING_AUTHORISED = "undefined";

const shown = z.string().min(1).max(SHOWN_MAX);
const mismatchSchema = z.object({ field: shown, is: shown, authorised: shown });

/**
 * Words a mismatch for the caller who sent the bytes. The reader compares the bytes with an authorised act, as signers
 * do. The caller knows of no authorised act, so the message gives the value that the wallet and its network require.
 */
export const callersMistake = ({ message, details }: Problem): string => {
  const mismatch = mismatchSchema.safeParse(details);
  if (!mismatch.success || mismatch.data.authorised === NOTHING_AUTHORISED) return message;
  const { field, is, authorised } = mismatch.data;
  return `The transaction cannot be signed here: ${field} is ${is}, and must be ${authorised}.`;
};
