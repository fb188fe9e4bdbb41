import { bytesToHex } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import { addressPaidBy } from "../address.ts";
import { isInChain } from "../chain/chain.ts";
import { coinsSpentBy, type FoundTransaction, feePaid } from "../found-transaction.ts";
import type { BitcoindNetwork } from "../network.ts";
import { scriptAssembly } from "../script/assembly.ts";
import { kindOfScript } from "../script/script-kind.ts";
import type { BitcoindState } from "../state.ts";
import { type BitcoindOutput, isRewardTransaction } from "../transaction/transaction.ts";

type JsonObject = { readonly [key: string]: LedgerJson };

/** Esplora's names for script types that Bitcoin Core names otherwise. */
const KINDS: Readonly<Record<string, string>> = {
  pubkeyhash: "p2pkh",
  scripthash: "p2sh",
  witness_v0_keyhash: "v0_p2wpkh",
  witness_v0_scripthash: "v0_p2wsh",
  witness_v1_taproot: "v1_p2tr",
  pubkey: "p2pk",
  multisig: "multisig",
  nulldata: "op_return",
  anchor: "anchor",
};

const outputJson = ({ amount, script }: BitcoindOutput, network: BitcoindNetwork): JsonObject => ({
  scriptpubkey: bytesToHex(script),
  scriptpubkey_asm: scriptAssembly(script),
  scriptpubkey_type: KINDS[kindOfScript(script).kind] ?? "unknown",
  scriptpubkey_address: addressPaidBy(script, network),
  value: amount,
});

/** The status of a transaction: the block of the chain that holds it, or unconfirmed. */
export const esploraStatus = ({ chain }: BitcoindState, { block }: FoundTransaction): JsonObject =>
  block === undefined || !isInChain(chain, block)
    ? { confirmed: false }
    : {
        confirmed: true,
        block_height: block.height,
        block_hash: block.hash,
        block_time: block.header.time,
      };

/** @source Esplora, API.md: Transaction format */
export const esploraTransaction = (state: BitcoindState, found: FoundTransaction): JsonObject => {
  const { transaction } = found;
  const { network } = state.genesis;
  const spent = coinsSpentBy(state, found);
  const isReward = isRewardTransaction(transaction);
  return {
    txid: transaction.txid,
    version: transaction.version,
    locktime: transaction.lockTime,
    vin: transaction.inputs.map(({ txid, index, script, witness, sequence }, at) => {
      const coin = spent[at];
      return {
        txid,
        vout: index,
        prevout: coin === undefined ? null : outputJson(coin, network),
        scriptsig: bytesToHex(script),
        scriptsig_asm: scriptAssembly(script),
        witness: witness.length === 0 ? undefined : witness.map(bytesToHex),
        is_coinbase: isReward,
        sequence,
      };
    }),
    vout: transaction.outputs.map((output) => outputJson(output, network)),
    size: transaction.bytes.length,
    weight: transaction.weight,
    fee: isReward ? 0n : feePaid(transaction, spent),
    status: esploraStatus(state, found),
  };
};
