import { type Act, fail, ok, type Problem, type Result } from "@conclave/custody";
import type { ReadableChains } from "../reading/readable.ts";
import { callersMistake } from "./callers-mistake.ts";

/**
 * Reads a caller's own bytes as the signers will read them, so that nothing is accepted that they refuse (INV-9).
 * @returns TransactionInvalid for bytes that do not fit the act, and other refusals of the family's reader
 */
export const judgeGivenBytes = ({ chains, families }: ReadableChains, act: Act): Result<void> => {
  const entry = chains.get(act.network)?.network;
  const family = families.familyOf(act.network);
  const given = family.givenBytes(act.kind === "transfer" ? act.transfer : act.transaction);
  if (given === undefined || entry === undefined) return ok(undefined);
  const read = family.read(entry, given, act);
  return read.ok ? ok(undefined) : invalidTransaction(read.problem);
};

/** Turns a mismatch into an error about the client's own bytes. */
export const invalidTransaction = (refusal: Problem): Result<never> => {
  const { code, message, details } = refusal;
  return code === "TransactionMismatch"
    ? fail("TransactionInvalid", details, callersMistake(refusal))
    : fail(code, details, message);
};
