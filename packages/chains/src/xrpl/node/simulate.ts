import { fail, ok, type Result } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import type { Rippled } from "./json-rpc.ts";
import { verdictOf } from "./results.ts";

const simulatedSchema = z.object({
  engine_result: z.string(),
  engine_result_message: z.string().optional(),
});

/** Errors of a server that is temporarily unable to answer (rippled, ErrorCodes.h). */
const NOT_NOW: readonly string[] = [
  "amendmentBlocked",
  "internal",
  "noClosed",
  "noCurrent",
  "noNetwork",
  "notReady",
  "notSynced",
  "slowDown",
  "tooBusy",
];

/**
 * Lets the node simulate a transaction in its open ledger, before anything is signed (rippled 2.4, `simulate`). If the
 * server does not know the request, or the transaction's sequence is still ahead of its open ledger, the earlier checks
 * must suffice.
 *
 * @param unsigned exactly the bytes that will be signed, including the key
 * @returns ExecutionReverted with the engine's message if the ledger would refuse it, or only take the fee;
 * ServiceUnavailable if the node is away, or has a transaction with this sequence: the simulation then proves nothing
 * (INV-4)
 */
export const trySimulate = async (rippled: Rippled, unsigned: Uint8Array): Promise<Result<void>> => {
  const said = await rippled.call("simulate", {
    tx_blob: bytesToHex(unsigned).toUpperCase(),
    binary: false,
  });
  switch (said.kind) {
    case "away":
      return nodeAway(rippled.network, said.cause);
    case "error":
      if (NOT_NOW.includes(said.error)) return nodeAway(rippled.network, said.words);
      return said.error === "invalidTransaction" ? refused(said.words) : ok(undefined);
    case "answer": {
      const simulated = simulatedSchema.safeParse(said.result);
      return simulated.success
        ? judged(rippled, simulated.data)
        : nodeAway(rippled.network, "its simulation cannot be read");
    }
  }
};

const judged = (
  rippled: Rippled,
  { engine_result: result, engine_result_message: words }: z.infer<typeof simulatedSchema>,
): Result<void> => {
  switch (verdictOf(result)) {
    case "success":
    case "over":
    case "for-now":
      return ok(undefined);
    case "known":
    case "placed":
      return nodeAway(rippled.network, `it has a transaction in this place already: ${result}`);
    case "claimed":
    case "for-good":
      return refused(words === undefined ? result : `${result}: ${words}`);
  }
};

const refused = (words: string): Result<never> =>
  fail("ExecutionReverted", {}, `the ledger refuses the transaction, tried as it would be signed: ${words}`);
