import { bytesToHex } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import { addressPaidBy } from "../address.ts";
import type { BitcoindCoin } from "../chain/coin.ts";
import { feePaid } from "../found-transaction.ts";
import type { BitcoindNetwork } from "../network.ts";
import { scriptAssembly } from "../script/assembly.ts";
import { kindOfScript } from "../script/script-kind.ts";
import {
  type BitcoindInput,
  type BitcoindOutput,
  type BitcoindSerialisedTransaction,
  isRewardTransaction,
} from "../transaction/transaction.ts";
import { bitcoinJson } from "./amount.ts";
import { descriptorOfScript } from "./descriptor.ts";

type JsonObject = { readonly [key: string]: LedgerJson };

/** @source Bitcoin Core, src/core_write.cpp: ScriptToUniv */
export const scriptJson = (script: Uint8Array, network: BitcoindNetwork): JsonObject => ({
  asm: scriptAssembly(script),
  desc: descriptorOfScript(script, network),
  hex: bytesToHex(script),
  address: addressPaidBy(script, network),
  type: kindOfScript(script).kind,
});

const inputJson = (input: BitcoindInput, isReward: boolean): JsonObject => {
  const { txid, index, script, sequence, witness } = input;
  const source = isReward
    ? { coinbase: bytesToHex(script) }
    : { txid, vout: index, scriptSig: { asm: scriptAssembly(script), hex: bytesToHex(script) } };
  const stack = witness.length === 0 ? {} : { txinwitness: witness.map(bytesToHex) };
  return { ...source, ...stack, sequence };
};

const outputJson = ({ amount, script }: BitcoindOutput, n: number, network: BitcoindNetwork): JsonObject => ({
  value: bitcoinJson(amount),
  n,
  scriptPubKey: scriptJson(script, network),
});

/** A transaction as decoderawtransaction answers it. @source Bitcoin Core, src/core_write.cpp: TxToUniv */
export const transactionJson = (
  transaction: BitcoindSerialisedTransaction,
  network: BitcoindNetwork,
): JsonObject => {
  const { txid, wtxid, version, bytes, virtualSize, weight, lockTime, inputs, outputs } = transaction;
  return {
    txid,
    hash: wtxid,
    version,
    size: bytes.length,
    vsize: virtualSize,
    weight,
    locktime: lockTime,
    vin: inputs.map((input) => inputJson(input, isRewardTransaction(transaction))),
    vout: outputs.map((output, n) => outputJson(output, n, network)),
  };
};

/** The output that an input spends, as nodes show it. */
const previousJson = (
  { isReward, height, amount, script }: BitcoindCoin,
  network: BitcoindNetwork,
): JsonObject => ({
  generated: isReward,
  height,
  value: bitcoinJson(amount),
  scriptPubKey: scriptJson(script, network),
});

/**
 * A transaction with its fee, unless it is a coinbase.
 * @param spent the outputs that its inputs spend, in their order; empty for a coinbase
 * @param isWhole whether to include the output that each input spends
 */
export const spendingTransactionJson = (
  transaction: BitcoindSerialisedTransaction,
  spent: readonly BitcoindCoin[],
  network: BitcoindNetwork,
  isWhole: boolean,
): JsonObject => {
  const json = transactionJson(transaction, network);
  if (spent.length === 0) return json;
  const inputs = transaction.inputs.map((input, at) => {
    const coin = spent[at];
    return { ...inputJson(input, false), prevout: coin && previousJson(coin, network) };
  });
  const whole = isWhole ? { ...json, vin: inputs } : json;
  return { ...whole, fee: bitcoinJson(feePaid(transaction, spent)) };
};
