import { type Asset, isPlainText } from "@conclave/custody";
import { type Address, hexToString, isHex, parseAbi } from "viem";
import { call } from "viem/actions";
import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { type Rpc, refusalText } from "./rpc.ts";

const METADATA = parseAbi([
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
]);
const SYMBOL_LENGTH = 32;
const WORD_DIGITS = 66;

/** The answer of a metadata function; undefined if the contract has none (EIP-20 and EIP-721 make metadata optional). */
const answerOf = async (rpc: Rpc, to: Address, functionName: "symbol" | "decimals") => {
  try {
    const { data } = await call(rpc, { to, data: encodeFunctionData({ abi: METADATA, functionName }) });
    return data;
  } catch (error) {
    // a message means that the contract reverts; without one the node is away, which the caller handles
    if (refusalText(error) === undefined) throw error;
    return undefined;
  }
};

/** Tokens from before the standard return 32 bytes instead of a string. */
const readSymbol = (data: `0x${string}`): string | undefined => {
  try {
    const text =
      data.length === WORD_DIGITS
        ? hexToString(data, { size: 32 })
        : decodeFunctionResult({ abi: METADATA, functionName: "symbol", data });
    return text.length > 0 && text.length <= SYMBOL_LENGTH && isPlainText(text) ? text : undefined;
  } catch {
    return undefined;
  }
};

const readDecimals = (data: `0x${string}`): number | undefined => {
  if (data.length !== WORD_DIGITS || !isHex(data)) return undefined;
  const decimals = BigInt(data);
  return decimals <= 255n ? Number(decimals) : undefined;
};

/**
 * A token's own metadata, which is unverified.
 *
 * @throws viem's errors when the node does not answer
 */
export const describeToken = async (rpc: Rpc, contract: Address): Promise<Asset> => {
  const [named, divided] = await Promise.all([
    answerOf(rpc, contract, "symbol"),
    answerOf(rpc, contract, "decimals"),
  ]);
  const symbol = named === undefined ? undefined : readSymbol(named);
  const decimals = divided === undefined ? undefined : readDecimals(divided);
  if (symbol === undefined && decimals === undefined) return {};
  return {
    ...(symbol === undefined ? {} : { symbol }),
    ...(decimals === undefined ? {} : { decimals }),
    verified: false,
  };
};
