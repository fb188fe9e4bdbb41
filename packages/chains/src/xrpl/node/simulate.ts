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

/** Errors by which a server says "not now" (rippled, ErrorCodes.h). */
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
 * Has the node try a transaction in its open ledger, before anything is signed (rippled 2.4, `simulate`). A server that does not know
 * the question leaves it to the checks that were made; so does one in whose open ledger the transaction's place has not come yet.
 * @param unsigned exactly what will be signed, the key in it
 * @returns ExecutionReverted in the engine's words when the ledger would refuse it, or take the fee and do nothing;
 *   ServiceUnavailable when the node is away, or has a transaction in this place: nothing is concluded from that (INV-4)
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
