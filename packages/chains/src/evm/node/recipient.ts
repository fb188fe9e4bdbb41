import { type FamilyContent, fail, ok, type Result } from "@conclave/custody";
import { type Address, BaseError, type Hex, toFunctionSelector } from "viem";
import { call, getCode } from "viem/actions";
import { concat, getAddress, hexToBigInt, pad, size } from "viem/utils";
import { parseTransfer } from "../parse-content.ts";
import { ask, type Rpc, refusalOf } from "./rpc.ts";

const WORD_BYTES = 32;
/** EIP-7702: the code of an account with a key that delegates to a contract */
const DELEGATION = /^0xef0100[0-9a-f]{40}$/i;
/**
 * Every ERC-20 that wallets show answers both; vaults, accounts and exchanges answer neither, unless they are tokens
 * themselves.
 */
const OF_TOKENS: readonly Hex[] = [
  toFunctionSelector("function totalSupply()"),
  toFunctionSelector("function decimals()"),
];
/** ERC-165: a contract reports which interfaces it supports; it must not support the interface 0xffffffff */
const SUPPORTS = toFunctionSelector("function supportsInterface(bytes4)");
const OF_ALL_INTERFACES: readonly Hex[] = ["0x01ffc9a7", "0xffffffff"];
/** ERC-721 and ERC-1155: supported by contracts that record the ownership of collectibles */
const OF_COLLECTIONS: readonly Hex[] = ["0x80ac58cd", "0xd9b67a26"];
/** A function that no contract has: one that answers it answers everything, so its answers mean nothing */
const OF_NOBODY: Hex = toFunctionSelector("function conclaveAsksWhatNobodyAnswers()");

/** The single word that a contract returns; undefined if it returns anything else, or reverts. */
const wordOf = async (rpc: Rpc, to: Address, data: Hex): Promise<bigint | undefined> => {
  try {
    const { data: answer = "0x" } = await call(rpc, { to, data });
    return size(answer) === WORD_BYTES ? hexToBigInt(answer) : undefined;
  } catch (error) {
    if (error instanceof BaseError && refusalOf(error) !== undefined) return undefined;
    throw error;
  }
};

const isToken = async (rpc: Rpc, address: Address): Promise<boolean> => {
  const [ofNobody, ...words] = await Promise.all(
    [OF_NOBODY, ...OF_TOKENS].map((selector) => wordOf(rpc, address, selector)),
  );
  return ofNobody === undefined && words.every((word) => word !== undefined);
};

const isCollection = async (rpc: Rpc, address: Address): Promise<boolean> => {
  const [speaks, speaksOfAll, ...collections] = await Promise.all(
    [...OF_ALL_INTERFACES, ...OF_COLLECTIONS].map((each) =>
      wordOf(rpc, address, concat([SUPPORTS, pad(each, { dir: "right" })])),
    ),
  );
  return speaks === 1n && speaksOfAll === 0n && collections.includes(1n);
};

/**
 * Describes a contract that would keep tokens that are sent to it; undefined for an account, and for every other
 * contract.
 */
const keeperAt = async (rpc: Rpc, address: Address): Promise<string | undefined> => {
  const code = await getCode(rpc, { address });
  if (code === undefined || DELEGATION.test(code)) return undefined;
  if (await isToken(rpc, address)) return "a token's own contract, by its totalSupply and decimals";
  return (await isCollection(rpc, address))
    ? "a collection of collectibles, by its supportsInterface"
    : undefined;
};

/**
 * Judges whether tokens at a recipient would be lost: a contract that is itself a token, or a collection of
 * collectibles, keeps tokens that are sent to it, except for a few with a function that returns them. No other contract
 * is refused, because accounts, exchanges and safes are contracts too. For collectibles, the token asks its recipient
 * (`safeTransferFrom`). A payment of the native coin is simulated, and is allowed to every contract that accepts it,
 * because some tokens are bought that way (WETH gives one token per coin).
 *
 * @returns RecipientUnsuitable (details.field "to"), ServiceUnavailable
 */
export const judgeRecipient = async (
  network: string,
  rpc: Rpc,
  content: FamilyContent,
): Promise<Result<void>> => {
  const transfer = parseTransfer(content);
  if (!transfer.ok) return transfer;
  if (transfer.value.kind !== "Erc20") return ok(undefined);
  const to = getAddress(transfer.value.to);
  const found = await ask(network, () => keeperAt(rpc, to));
  if (!found.ok) return found;
  const why = found.value;
  if (why === undefined) return ok(undefined);
  return fail(
    "RecipientUnsuitable",
    { field: "to", why },
    `The recipient ${to} is ${why}: tokens that are sent to such a contract mostly stay there for ever.`,
  );
};
