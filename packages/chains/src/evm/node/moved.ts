import { type Address, BaseError, type Hex, parseAbi } from "viem";
import { call } from "viem/actions";
import { decodeFunctionResult, encodeFunctionData, getAddress } from "viem/utils";
import type { Receipt } from "../landed/receipt.ts";
import { arrivedByLogs, type TokenTransfer } from "../landed/transfer-logs.ts";
import type { EvmTransfer } from "../rules/act.ts";
import { type Rpc, refusalOf } from "./rpc.ts";

const TOKENS = parseAbi([
  "function balanceOf(address owner) view returns (uint256)",
  "function ownerOf(uint256 tokenId) view returns (address)",
]);

/** The effect of an executed transfer. */
export type TokenOutcome =
  /** @param arrived smallest unit: the received amount, if it is known and differs from the requested one */
  { readonly kind: "moved"; readonly arrived?: bigint } | { readonly kind: "nothing" };

const MOVED: TokenOutcome = { kind: "moved" };

/** Calls a contract at a block; undefined if the contract reverts, or the node no longer has the state of that block. */
const readAt = async (rpc: Rpc, to: Address, data: Hex, blockNumber: bigint): Promise<Hex | undefined> => {
  try {
    return (await call(rpc, { to, data, blockNumber })).data;
  } catch (error) {
    if (error instanceof BaseError && refusalOf(error) !== undefined) return undefined;
    throw error;
  }
};

const balanceAt = async (
  rpc: Rpc,
  token: Address,
  owner: Address,
  height: bigint,
): Promise<bigint | undefined> => {
  const data = encodeFunctionData({ abi: TOKENS, functionName: "balanceOf", args: [owner] });
  const answer = await readAt(rpc, token, data, height);
  return answer === undefined
    ? undefined
    : decodeFunctionResult({ abi: TOKENS, functionName: "balanceOf", data: answer });
};

/** The growth of a balance in a block; undefined if unknown. */
const grownBy = async (
  rpc: Rpc,
  token: Address,
  owner: Address,
  height: bigint,
): Promise<bigint | undefined> => {
  const [before, after] = await Promise.all([
    balanceAt(rpc, token, owner, height - 1n),
    balanceAt(rpc, token, owner, height),
  ]);
  return before === undefined || after === undefined ? undefined : after - before;
};

/**
 * For a token that wrote no event: compares balances before and after its block. "nothing" requires that neither
 * balance changed in the transfer's direction, because other payments may be in the same block. If the node has pruned
 * the state, the chain's own verdict stands: a transfer that is wrongly called failed may be paid twice.
 */
const byBalances = async (
  rpc: Rpc,
  { contract, to, amount }: Extract<TokenTransfer, { kind: "Erc20" }>,
  sender: Address,
  height: bigint,
): Promise<TokenOutcome> => {
  const token = getAddress(contract);
  const recipient = getAddress(to);
  const [grown, left] = await Promise.all([
    grownBy(rpc, token, recipient, height),
    grownBy(rpc, token, sender, height),
  ]);
  if (grown === undefined || left === undefined || recipient === sender) return MOVED;
  if (grown > 0n) return grown === BigInt(amount) ? MOVED : { kind: "moved", arrived: grown };
  return grown === 0n && left >= 0n ? { kind: "nothing" } : MOVED;
};

const byOwner = async (
  rpc: Rpc,
  { contract, to, tokenId }: Extract<TokenTransfer, { kind: "Erc721" }>,
  sender: Address,
  height: bigint,
): Promise<TokenOutcome> => {
  const data = encodeFunctionData({ abi: TOKENS, functionName: "ownerOf", args: [BigInt(tokenId)] });
  const answer = await readAt(rpc, getAddress(contract), data, height);
  if (answer === undefined || getAddress(to) === sender) return MOVED;
  const owner = decodeFunctionResult({ abi: TOKENS, functionName: "ownerOf", data: answer });
  return owner === sender ? { kind: "nothing" } : MOVED;
};

/**
 * The real effect of an executed transfer: by the token's own event in the receipt, and without one, by balances or the
 * owner at the block. The chain's "success" only says that no instruction failed: EIP-20's `transfer` may return false
 * and move nothing.
 */
export const movementOf = async (
  rpc: Rpc,
  receipt: Receipt,
  transfer: EvmTransfer,
): Promise<TokenOutcome> => {
  if (transfer.kind === "Native") return MOVED;
  const sender = getAddress(receipt.from);
  const arrived = arrivedByLogs(receipt.logs, transfer, sender.toLowerCase());
  if (arrived !== undefined) {
    const isWhole = transfer.kind === "Erc721" || arrived === BigInt(transfer.amount);
    return isWhole ? MOVED : { kind: "moved", arrived };
  }
  return transfer.kind === "Erc20"
    ? byBalances(rpc, transfer, sender, receipt.blockNumber)
    : byOwner(rpc, transfer, sender, receipt.blockNumber);
};
