import { fail, ok, type Result } from "@conclave/custody";
import type { Replacements } from "../chain.ts";

const unsupported = (): Result<never> =>
  fail(
    "TransactionKindNotSupported",
    { field: "kind" },
    "A transaction of TRON lands within minutes or never: nothing takes its place.",
  );

/** TRON counts no transactions of an account, and takes none in the place of another. */
export const TRON_REPLACEMENTS: Replacements = {
  speedUp: unsupported,
  cancel: unsupported,
  takePlace: unsupported,
  fixedSequence: () => ok(undefined),
  judgeSequence: () => ok(undefined),
  judge: unsupported,
};
