import type { Address, Hash, Hex, RpcLog } from "viem";
import { getAddress, hexToBigInt, slice } from "viem/utils";
import { dateBySeconds } from "../../../block-date.ts";
import type { Arrival } from "../../../chain.ts";
import { flatMapInTurns } from "../../../turns/node/in-turns.ts";
import { arrivalEnds, concerning, type OursAtEnds } from "../../../turns/node/ours-among.ts";
import { quantity } from "../../landed/receipt.ts";
import type { BlockRpc } from "../rpc.ts";
import { type BlockContents, isPruned, readContents } from "./block-contents.ts";
import { type EvmPieces, forgetPieces, pieceOfEach } from "./pieces.ts";

/** Keccak-256 of "Transfer(address,address,uint256)": the event of ERC-20 and of ERC-721 */
const TRANSFER_EVENT: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const TOPICS_OF_ERC20 = 3;
const TOPICS_OF_ERC721 = 4;
const WORD_DIGITS = 66;
const ADDRESS_AT = 12;

/**
 * Addresses under which chains log movements of the native coin as token transfers. They are left out, because the
 * transaction's value already shows the movement.
 */
const OF_THE_CHAIN: ReadonlySet<string> = new Set([
  // EIP-7708 (Arc does so already)
  "0xfffffffffffffffffffffffffffffffffffffffe",
  // zkSync Era and chains of its kind: L2BaseToken (era-contracts, system-contracts/contracts/L2BaseToken.sol)
  "0x000000000000000000000000000000000000800a",
]);

const addressIn = (topic: Hex): Address => getAddress(slice(topic, ADDRESS_AT));

/**
 * A movement in a token's log.
 *
 * @param nth position among its transaction's logs, so that the place stays the same if another block includes the
 * transaction
 * @returns undefined for a log of another form, and for one that moves nothing: such logs are written to put a
 * scammer's address into a victim's history
 */
const movementIn = ({ address, topics, data, transactionHash }: RpcLog, nth: number): Arrival | undefined => {
  const [, from, to, tokenId] = topics;
  if (from === undefined || to === undefined || transactionHash === null) return undefined;
  if (OF_THE_CHAIN.has(address.toLowerCase())) return undefined;
  const contract = getAddress(address);
  const common = { txHash: transactionHash, place: `log ${nth}`, from: addressIn(from) };
  if (topics.length === TOPICS_OF_ERC721 && tokenId !== undefined && data === "0x") {
    const id = hexToBigInt(tokenId).toString();
    return { ...common, moved: { kind: "Erc721", contract, to: addressIn(to), tokenId: id } };
  }
  if (topics.length !== TOPICS_OF_ERC20 || data.length !== WORD_DIGITS) return undefined;
  const amount = hexToBigInt(data);
  if (amount === 0n) return undefined;
  return { ...common, moved: { kind: "Erc20", contract, to: addressIn(to), amount: amount.toString() } };
};

/** The logs without duplicates, in the order of their block, whatever the node's order. */
const inOrder = (logs: readonly RpcLog[]): readonly RpcLog[] => {
  const distinct = new Map(
    logs.map((log) => [
      JSON.stringify([log.transactionHash, log.logIndex, log.address, log.topics, log.data]),
      log,
    ]),
  );
  return [...distinct.values()].toSorted((one, other) => Number(one.logIndex) - Number(other.logIndex) || 0);
};

const movementsIn = (logs: readonly RpcLog[]): Promise<readonly Arrival[]> => {
  const counted = new Map<string, number>();
  return flatMapInTurns(inOrder(logs), (log) => {
    const nth = counted.get(log.transactionHash ?? "") ?? 0;
    counted.set(log.transactionHash ?? "", nth + 1);
    const moved = movementIn(log, nth);
    return moved === undefined ? [] : [moved];
  });
};

/** Payments of the native coin by transactions themselves, including failed ones. */
const paymentsIn = ({ transactions }: BlockContents): Promise<readonly Arrival[]> =>
  flatMapInTurns(transactions, ({ from, to, value, hash: txHash }): readonly Arrival[] => {
    const amount = hexToBigInt(value);
    if (!to || amount === 0n) return [];
    const moved = { kind: "Native", to: getAddress(to), amount: amount.toString() } as const;
    return [{ txHash, place: "value", from: getAddress(from), moved }];
  });

/** @throws TypeError for a receipt of another block, and for one without a status */
const wasCarriedOut = async ({ piece }: BlockRpc, block: Hash, hash: Hash): Promise<boolean> => {
  const receipt = await piece.request({ method: "eth_getTransactionReceipt", params: [hash] });
  if (receipt?.blockHash !== block) throw new TypeError("what it tells is not of the block");
  const status = quantity.safeParse(receipt.status);
  if (!status.success) throw new TypeError("it does not tell how a transaction ended");
  return status.data === 1n;
};

const hashOf = (text: string): Hash => `0x${text.slice(2)}`;

/**
 * The payments of successful transactions. Receipts are read a few at a time, because anyone can pay a wallet a
 * thousand times in a block.
 */
const carriedOut = async (
  rpc: BlockRpc,
  { outcomes }: EvmPieces,
  block: Hash,
  payments: readonly Arrival[],
): Promise<readonly Arrival[]> => {
  const hashes = payments.map(({ txHash }) => hashOf(txHash));
  const wereCarriedOut = await pieceOfEach(outcomes, block, hashes, (hash) =>
    wasCarriedOut(rpc, block, hash),
  );
  return payments.filter((_, which) => wereCarriedOut[which]);
};

const arrivalsOf = async (
  rpc: BlockRpc,
  pieces: EvmPieces,
  found: BlockContents,
  ours: OursAtEnds,
): Promise<readonly Arrival[]> => {
  const payments = await paymentsIn(found);
  const tokens = await movementsIn(found.logs);
  const isOurs = await concerning(ours, [...payments, ...tokens], arrivalEnds);
  const date = dateBySeconds(quantity.safeParse(found.timestamp).data);
  const paid = await carriedOut(rpc, pieces, found.hash, payments.filter(isOurs));
  forgetPieces(pieces, found.hash);
  const arrivals = [...paid, ...tokens.filter(isOurs)];
  return arrivals.map((arrival) => ({ ...arrival, ...date }));
};

/**
 * The arrivals of a block that concern us: the value of successful transactions, and movements in tokens' logs. Any
 * contract can write such a log, so it shows only what the contract claims to have moved.
 *
 * @returns undefined if the node calls the block final, but does not have it or has forgotten its effects
 * @throws viem's errors when the node does not answer, or does not call the block final
 */
export const arrivalsAt = async (
  rpc: BlockRpc,
  pieces: EvmPieces,
  height: bigint,
  ours: OursAtEnds,
): Promise<readonly Arrival[] | undefined> => {
  try {
    const found = await readContents(rpc, pieces, height, TRANSFER_EVENT);
    return found && (await arrivalsOf(rpc, pieces, found, ours));
  } catch (error) {
    if (isPruned(error)) return undefined;
    throw error;
  }
};
