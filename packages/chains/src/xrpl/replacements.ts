import { fail, ok, type Result } from "@conclave/custody";
import type { Replacements } from "../chain.ts";
import { givenXrplBytes } from "./parse-content.ts";
import { judgeXrplSequence } from "./sequence.ts";
import { decodeXrpl } from "./transaction.ts";

const unsupported = (): Result<never> =>
  fail(
    "TransactionKindNotSupported",
    { field: "kind" },
    "A transaction of the XRP Ledger lands within minutes or never: nothing takes its place.",
  );

/** Nothing is replaced. A caller's own bytes have a place all the same: the next one, or they are refused. */
export const XRPL_REPLACEMENTS: Replacements = {
  speedUp: unsupported,
  cancel: unsupported,
  takePlace: unsupported,
  fixedSequence: (content) => {
    const given = givenXrplBytes(content);
    if (given === undefined) return ok(undefined);
    const decoded = decodeXrpl(given);
    return decoded.ok ? ok(BigInt(decoded.value.sequence)) : decoded;
  },
  judgeSequence: (wanted, next) => {
    const judged = judgeXrplSequence(wanted, next);
    return judged.ok ? ok(undefined) : judged;
  },
  judge: unsupported,
};
