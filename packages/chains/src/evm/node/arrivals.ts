import { type Address, BlockNotFoundError, type Hash, type Hex, type RpcLog } from "viem";
import { getBlock, getTransactionReceipt } from "viem/actions";
import { getAddress, hexToBigInt, slice } from "viem/utils";
import type { AreOurs, Arrival } from "../../chain.ts";
import type { Rpc } from "./rpc.ts";

/** Keccak-256 of "Transfer(address,address,uint256)": the event of ERC-20 and of ERC-721 */
const TRANSFER_EVENT: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const TOPICS_OF_ERC20 = 3;
const TOPICS_OF_ERC721 = 4;
const WORD_DIGITS = 66;
const ADDRESS_AT = 12;

const addressIn = (topic: Hex): Address => getAddress(slice(topic, ADDRESS_AT));

/**
 * What a log of a token says of a movement.
 * @returns undefined for a log of another form, and for one that moves nothing: such logs are made to put a swindler's address
 * into a victim's history
 */
const movementIn = ({ address, topics, data, transactionHash, logIndex }: RpcLog): Arrival | undefined => {
  const [, from, to, tokenId] = topics;
  if (from === undefined || to === undefined || transactionHash === null || logIndex === null)
    return undefined;
  const contract = getAddress(address);
  const common = { txHash: transactionHash, place: `log ${BigInt(logIndex)}`, from: addressIn(from) };
  if (topics.length === TOPICS_OF_ERC721 && tokenId !== undefined && data === "0x") {
    const id = hexToBigInt(tokenId).toString();
    return { ...common, moved: { kind: "Erc721", contract, to: addressIn(to), tokenId: id } };
  }
  if (topics.length !== TOPICS_OF_ERC20 || data.length !== WORD_DIGITS) return undefined;
  const amount = hexToBigInt(data);
  if (amount === 0n) return undefined;
  return { ...common, moved: { kind: "Erc20", contract, to: addressIn(to), amount: amount.toString() } };
};

const logsOf = (rpc: Rpc, blockHash: Hash): Promise<readonly RpcLog[]> =>
  rpc.request({ method: "eth_getLogs", params: [{ blockHash, topics: [TRANSFER_EVENT] }] });

/** Payments of the native coin by transactions themselves, whether or not they were carried out. */
const paymentsOf = async (rpc: Rpc, height: bigint) => {
  const { hash, transactions } = await getBlock(rpc, { blockNumber: height, includeTransactions: true });
  const payments = transactions.flatMap(({ from, to, value, hash: txHash }): readonly Arrival[] =>
    to === null || value === 0n
      ? []
      : [
          {
            txHash,
            place: "value",
            from: getAddress(from),
            moved: { kind: "Native", to: getAddress(to), amount: value.toString() },
          },
        ],
  );
  return { hash, payments };
};

const wasCarriedOut = async (rpc: Rpc, { txHash }: Arrival): Promise<boolean> => {
  const { status } = await getTransactionReceipt(rpc, { hash: hashOf(txHash) });
  return status === "success";
};

const hashOf = (text: string): Hash => `0x${text.slice(2)}`;

/**
 * What a block brought to wallets here: the value of transactions that were carried out, and what tokens' logs tell. Any contract
 * can write such a log: it says what a contract claims to have moved.
 * @returns undefined when the node has no such block yet
 * @throws viem's errors when the node does not answer
 */
export const arrivalsAt = async (
  rpc: Rpc,
  height: bigint,
  areOurs: AreOurs,
): Promise<readonly Arrival[] | undefined> => {
  const block = await paymentsOf(rpc, height).catch((error: unknown) => {
    if (error instanceof BlockNotFoundError) return undefined;
    throw error;
  });
  if (block === undefined) return undefined;
  const logs = await logsOf(rpc, block.hash);
  const tokens = logs.flatMap((log) => movementIn(log) ?? []);
  const seen = [...block.payments, ...tokens];
  if (seen.length === 0) return [];
  const ours = await areOurs([...new Set(seen.map(({ moved }) => moved.to))]);
  const isOurs = ({ moved }: Arrival): boolean => ours.has(moved.to);
  const paid = block.payments.filter(isOurs);
  const outcomes = await Promise.all(paid.map((payment) => wasCarriedOut(rpc, payment)));
  return [...paid.filter((_, at) => outcomes[at]), ...tokens.filter(isOurs)];
};
