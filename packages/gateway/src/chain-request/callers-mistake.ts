import type { Problem } from "@conclave/custody";
import { z } from "zod";

/** in characters: addresses, chain ids and hashes are shown, and not whole calls */
const SHOWN_MAX = 128;
const NOTHING_AUTHORISED = "undefined";

const shown = z.string().min(1).max(SHOWN_MAX);
const mismatchSchema = z.object({ field: shown, is: shown, authorised: shown });

/**
 * The words of a mismatch for the caller who sent the bytes. The reader compares with what was authorised, as
 * signers do; to a caller nothing was, and what helps is the value that the wallet and its network ask for.
 */
export const callersMistake = ({ message, details }: Problem): string => {
  const mismatch = mismatchSchema.safeParse(details);
  if (!mismatch.success || mismatch.data.authorised === NOTHING_AUTHORISED) return message;
  const { field, is, authorised } = mismatch.data;
  return `The transaction cannot be signed here: ${field} is ${is}, and must be ${authorised}.`;
};
