import { fail, ok, type Result } from "@conclave/custody";
import type { Replacements } from "../chain.ts";

const unsupported = (): Result<never> =>
  fail(
    "TransactionKindNotSupported",
    { field: "kind" },
    "A transaction of Algorand lands within minutes or never: nothing takes its place.",
  );

/** Algorand counts no transactions of an account, and takes the one with a higher fee for another one. */
export const ALGORAND_REPLACEMENTS: Replacements = {
  speedUp: unsupported,
  cancel: unsupported,
  takePlace: unsupported,
  fixedSequence: () => ok(undefined),
  judgeSequence: () => ok(undefined),
  judge: unsupported,
};
