import { fail, ok, type Result } from "@conclave/custody";
import type { Replacements } from "../chain.ts";

const unsupported = (): Result<never> =>
  fail(
    "TransactionKindNotSupported",
    { field: "kind" },
    "A transaction of Solana lands within a minute or two or never: nothing takes its place.",
  );

/** Solana counts no transactions of an account, and takes the one with a higher price for another one. */
export const SOLANA_REPLACEMENTS: Replacements = {
  speedUp: unsupported,
  cancel: unsupported,
  takePlace: unsupported,
  fixedSequence: () => ok(undefined),
  judgeSequence: () => ok(undefined),
  judge: unsupported,
};
