import { fail, ok, type Result } from "@conclave/custody";
import { base64 } from "@scure/base";
import { z } from "zod";
import { chainWords } from "./chain-words.ts";
import { asOf, uint64Field } from "./fields.ts";
import { demandSolana, type SolanaRpc, solanaAway } from "./json-rpc.ts";

const simulatedSchema = asOf(
  z.object({
    err: z.unknown(),
    logs: z.array(z.string()).nullish(),
    unitsConsumed: uint64Field.nullish(),
  }),
);

/** The chain's names for missing lamports, with their meaning and remedy. */
const EXPLAINED: readonly (readonly [name: RegExp, words: string])[] = [
  [/^InsufficientFundsForFee/, "the wallet holds fewer lamports than the fee: fund it"],
  [/^AccountNotFound/, "the wallet's account holds no lamports: fund it"],
  [
    /InsufficientFundsForRent|^InvalidRentPayingAccount/,
    "an account would hold some lamports, and fewer than its rent: send more to it, or leave more in it",
  ],
];

/** The chain's own words, and plain ones behind them where it has a name alone. */
const wordsOf = (error: unknown, logs: readonly string[] | null | undefined): string => {
  const words = chainWords(error, logs);
  const explained = EXPLAINED.find(([name]) => name.test(words))?.[1];
  return explained === undefined ? words : `${words}: ${explained}`;
};

/**
 * Lets the node carry out a transaction for itself alone. It needs no signature.
 * @returns compute units that it takes, none where the node does not say; ExecutionReverted when the chain would not carry it out;
 *   ServiceUnavailable when the node is behind
 */
export const simulateSolana = async (rpc: SolanaRpc, unsigned: Uint8Array): Promise<Result<bigint>> => {
  const simulated = await demandSolana(rpc, {
    method: "simulateTransaction",
    params: [
      base64.encode(unsigned),
      { encoding: "base64", commitment: "confirmed", sigVerify: false, replaceRecentBlockhash: false },
    ],
    schema: simulatedSchema,
  });
  if (!simulated.ok) return simulated;
  const { err, logs, unitsConsumed } = simulated.value.value;
  if (err === null || err === undefined) return ok(unitsConsumed ?? 0n);
  // whether it is young enough was asked before: this node, of several behind one address, has not seen its block yet
  return err === "BlockhashNotFound"
    ? solanaAway(rpc.network, "it does not know the transaction's blockhash yet")
    : fail("ExecutionReverted", {}, `the chain would not carry it out: ${wordsOf(err, logs)}`);
};
