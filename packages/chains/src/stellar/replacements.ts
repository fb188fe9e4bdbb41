import { fail, ok, type Result } from "@conclave/custody";
import type { Replacements } from "../chain.ts";
import { givenStellarBytes } from "./parse-content.ts";
import { judgeStellarSequence } from "./sequence.ts";
import { decodeStellar } from "./transaction.ts";

const unsupported = (): Result<never> =>
  fail(
    "TransactionKindNotSupported",
    { field: "kind" },
    "A transaction of Stellar lands within minutes or never: nothing takes its place.",
  );

/**
 * Stellar takes a fee bump around the very same transaction at ten times its fee, and nothing else in its place. Nothing is
 * replaced here: a transaction that does not land is void after five minutes, and is built again with the fees
 * of then.
 */
export const STELLAR_REPLACEMENTS: Replacements = {
  speedUp: unsupported,
  cancel: unsupported,
  takePlace: unsupported,
  fixedSequence: (content) => {
    const given = givenStellarBytes(content);
    if (given === undefined) return ok(undefined);
    const decoded = decodeStellar(given);
    return decoded.ok ? ok(decoded.value.sequence) : decoded;
  },
  judgeSequence: judgeStellarSequence,
  judge: unsupported,
};
