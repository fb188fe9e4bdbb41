import type { Result } from "@conclave/custody";
import { type Address, BaseError, type Hex, parseAbi } from "viem";
import { call } from "viem/actions";
import { bytesToHex, encodeFunctionData, hexToBigInt, size } from "viem/utils";
import { readCallRefusal } from "../refusals/node-words.ts";
import { ask, type Rpc, refusalOf } from "./rpc.ts";

/** The predeploy of the OP stack (https://specs.optimism.io, "Predeploys"). Nobody has a key of its address, so nothing else stands there. */
const GAS_PRICE_ORACLE: Address = "0x420000000000000000000000000000000000000F";
const ORACLE = parseAbi([
  "function getL1Fee(bytes transaction) view returns (uint256)",
  "function getOperatorFee(uint256 gasUsed) view returns (uint256)",
]);
const WORD_BYTES = 32;

/**
 * The oracle's answer; zero where there is none, or where it does not know the function, as before the
 * Isthmus upgrade.
 */
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
 * The fees of a rollup of the OP stack beside gas: for a transaction's data on layer 1, and for its operator.
 * The chain itself tells whether it is one, by the contract that such chains have.
 * @param unsigned whole; the oracle adds a signature's bytes by itself
 * @param gasLimit the operator's fee is paid for all of it at first
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
