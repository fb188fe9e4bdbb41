import type { Result } from "@conclave/custody";
import { type Address, BaseError, type Hex, parseAbi } from "viem";
import { call } from "viem/actions";
import { bytesToHex, encodeFunctionData, hexToBigInt, size } from "viem/utils";
import { readCallRefusal } from "../refusals/node-words.ts";
import { ask, type Rpc, refusalOf } from "./rpc.ts";

/**
 * The predeploy of the OP stack (https://specs.optimism.io, "Predeploys"). Nobody has a key for its address, so on
 * other chains it is empty.
 */
const GAS_PRICE_ORACLE: Address = "0x420000000000000000000000000000000000000F";
const ORACLE = parseAbi([
  "function getL1Fee(bytes transaction) view returns (uint256)",
  "function getOperatorFee(uint256 gasUsed) view returns (uint256)",
]);
const WORD_BYTES = 32;

/** The oracle's answer; zero if the chain has none, or it does not know the function, as before the Isthmus upgrade. */
const wordOf = async (rpc: Rpc, data: Hex): Promise<bigint> => {
  try {
    const { data: answer = "0x" } = await call(rpc, { to: GAS_PRICE_ORACLE, data });
    return size(answer) === WORD_BYTES ? hexToBigInt(answer) : 0n;
  } catch (error) {
    const refused = error instanceof BaseError ? refusalOf(error) : undefined;
    if (refused !== undefined && readCallRefusal(refused) !== undefined) return 0n;
    throw error;
  }
};

/**
 * The fees of an OP stack rollup in addition to gas: for the transaction's data on layer 1, and for the operator. The
 * chain is recognised by the contract that such chains have.
 *
 * @param unsigned the whole transaction; the oracle adds the signature's bytes itself
 * @param gasLimit the operator's fee is first charged for all of it
 * @returns wei, zero on other chains; ServiceUnavailable
 */
export const rollupFee = (
  network: string,
  rpc: Rpc,
  unsigned: Uint8Array,
  gasLimit: bigint,
): Promise<Result<bigint>> =>
  ask(network, async () => {
    const [l1Fee, operatorFee] = await Promise.all([
      wordOf(
        rpc,
        encodeFunctionData({ abi: ORACLE, functionName: "getL1Fee", args: [bytesToHex(unsigned)] }),
      ),
      wordOf(rpc, encodeFunctionData({ abi: ORACLE, functionName: "getOperatorFee", args: [gasLimit] })),
    ]);
    return l1Fee + operatorFee;
  });
