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

/** The chain's error names for missing lamports, with their meaning and remedy. */
const EXPLAINED: readonly (readonly [name: RegExp, words: string])[] = [
  [/^InsufficientFundsForFee/, "the wallet holds fewer lamports than the fee: fund it"],
  [/^AccountNotFound/, "the wallet's account holds no lamports: fund it"],
  [
    /InsufficientFundsForRent|^InvalidRentPayingAccount/,
    "an account would hold some lamports, and fewer than its rent: send more to it, or leave more in it",
  ],
];

/** The chain's message, followed by an explanation if it is only a name. */
const wordsOf = (error: unknown, logs: readonly string[] | null | undefined): string => {
  const words = chainWords(error, logs);
  const explained = EXPLAINED.find(([name]) => name.test(words))?.[1];
  return explained === undefined ? words : `${words}: ${explained}`;
};

/**
 * Lets the node simulate a transaction. It needs no signature.
 *
 * @returns the compute units that it takes, none if the node does not say; ExecutionReverted if it would fail;
 * ServiceUnavailable when the node is behind
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
  // the blockhash is recent, as was checked before: this one of several nodes behind one address has not seen its block
  // yet
  return err === "BlockhashNotFound"
    ? solanaAway(rpc.network, "it does not know the transaction's blockhash yet")
    : fail("ExecutionReverted", {}, `the chain would not carry it out: ${wordsOf(err, logs)}`);
};
