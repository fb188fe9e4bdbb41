import { BaseError, type Hash, type Hex, type RpcLog, RpcRequestError } from "viem";
import { numberToHex } from "viem/utils";
import { mayHoldTopic } from "../../landed/bloom.ts";
import { quantity } from "../../landed/receipt.ts";
import { type BlockRpc, hurdleBy, type Rpc } from "../rpc.ts";
import { readAlone, readTogether } from "./called-final.ts";
import { type BlockTransaction, type EvmPieces, pieceOfEach } from "./pieces.ts";

/**
 * By these words nodes say that they no longer have what a block did: geth ("missing trie node", "pruned history unavailable"), erigon,
 * nethermind and besu ("World state is not available"), reth ("block is pruned").
 */
const PRUNED = /\bprun(ed|ing)\b|missing trie node|(history|state)( is)? (not |un)available/i;

/** The effects of a block, as far as they are read. */
export interface BlockContents {
  readonly hash: Hash;
  /** Unix seconds, as the node writes them */
  readonly timestamp: unknown;
  readonly transactions: readonly BlockTransaction[];
  /** of the one event that was asked for, in the block's order */
  readonly logs: readonly RpcLog[];
}

interface BlockHead {
  /** null of a block that is still being made */
  readonly hash: Hash | null;
  readonly timestamp?: unknown;
  readonly logsBloom?: unknown;
  readonly gasUsed?: unknown;
  readonly transactions: readonly (BlockTransaction | Hash)[];
}
type MadeBlock = BlockHead & { readonly hash: Hash };

/** Whether a node says that it has forgotten what is asked for. */
export const isPruned = (error: unknown): boolean => {
  const refused = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError);
  return refused instanceof RpcRequestError && PRUNED.test(refused.details);
};

/**
 * Whether the same may be read in another way: the node refuses a call, its answer is too large for a proxy
 * before it, or it is not done in time.
 */
const mayAnswerOtherwise = (error: unknown): boolean => {
  // one piece of several is missing, or is of another block
  if (error instanceof TypeError) return true;
  if (!(error instanceof BaseError)) return false;
  const refused = error.walk((cause) => cause instanceof RpcRequestError);
  return refused !== null || hurdleBy(error) !== undefined;
};

/** The first way that is not refused; else what the last one threw, or what said that it is forgotten. */
const firstOf = async <T>(...ways: readonly (() => Promise<T>)[]): Promise<T> => {
  let failure: unknown;
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (!mayAnswerOtherwise(error)) throw error;
      if (!isPruned(failure)) failure = error;
    }
  }
  throw failure;
};

const hashIn = (transaction: BlockTransaction | Hash): Hash =>
  typeof transaction === "string" ? transaction : transaction.hash;

const ofBlock = <T extends { readonly blockHash: Hash | null }>(hash: Hash, found: T | null): T => {
  if (found === null || found.blockHash !== hash) {
    throw new TypeError("what it tells is not of the block");
  }
  return found;
};

/** The logs of an event, out of receipts, which hold those of every event. */
const logsIn = (receipts: readonly { readonly logs: readonly RpcLog[] }[], event: Hex): readonly RpcLog[] =>
  receipts.flatMap(({ logs }) => logs.filter(({ topics }) => topics[0] === event));

/** A node that refuses all logs of a block has its receipts. */
const logsOf = (rpc: BlockRpc, pieces: EvmPieces, event: Hex, block: MadeBlock): Promise<readonly RpcLog[]> =>
  firstOf(
    async () => {
      const { hash } = block;
      const logs = await rpc.alone.request({
        method: "eth_getLogs",
        params: [{ blockHash: hash, topics: [event] }],
      });
      return logs.map((log) => ofBlock(hash, log));
    },
    () => receiptsLogs(rpc, pieces, event, block),
  );

/** The logs out of a block's receipts: all together, or one by one. */
const receiptsLogs = (
  rpc: BlockRpc,
  { logs: pieces }: EvmPieces,
  event: Hex,
  { hash, transactions }: MadeBlock,
): Promise<readonly RpcLog[]> => {
  const together = async (): Promise<readonly RpcLog[]> => {
    const receipts = await rpc.alone.request({ method: "eth_getBlockReceipts", params: [hash] });
    if (receipts === null || receipts.length !== transactions.length) {
      throw new TypeError("its receipts are not those of the block");
    }
    for (const receipt of receipts) ofBlock(hash, receipt);
    return logsIn(receipts, event);
  };
  const oneByOne = async (): Promise<readonly RpcLog[]> => {
    const logs = await pieceOfEach(pieces, hash, transactions.map(hashIn), async (txHash) => {
      const receipt = await rpc.piece.request({ method: "eth_getTransactionReceipt", params: [txHash] });
      return logsIn([ofBlock(hash, receipt)], event);
    });
    return logs.flat();
  };
  return pieces.hasSome(hash) ? oneByOne() : firstOf(together, oneByOne);
};

/** The transactions of a block: with it, or one by one where together they are too large. */
const transactionsOf = async (
  { piece }: BlockRpc,
  { transactions: pieces }: EvmPieces,
  { hash, transactions }: MadeBlock,
): Promise<readonly BlockTransaction[]> => {
  const whole = transactions.filter((each) => typeof each !== "string");
  if (whole.length === transactions.length) return whole;
  return pieceOfEach(pieces, hash, transactions.map(hashIn), async (txHash) => {
    const found = await piece.request({ method: "eth_getTransactionByHash", params: [txHash] });
    const { from, to, value } = ofBlock(hash, found);
    return { hash: txHash, from, to, value };
  });
};

interface Found {
  readonly block: BlockHead | null;
  /** undefined where they have to be asked for in another way */
  readonly logs?: readonly RpcLog[] | undefined;
}

/** A block and its logs. Asked in one request, they are of one node: two behind a load balancer may differ in what they have. */
const readWithLogs =
  (at: Hex, event: Hex) =>
  async (client: Rpc, signal: AbortSignal): Promise<Found> => {
    const [block, logs] = await Promise.allSettled([
      client.request({ method: "eth_getBlockByNumber", params: [at, true] }, { signal }),
      client.request(
        { method: "eth_getLogs", params: [{ fromBlock: at, toBlock: at, topics: [event] }] },
        { signal },
      ),
    ]);
    if (block.status === "rejected") throw block.reason;
    // of a block that is not there a node may refuse to tell any logs
    if (block.value === null) return { block: null };
    if (logs.status === "fulfilled") return { block: block.value, logs: logs.value };
    if (!mayAnswerOtherwise(logs.reason)) throw logs.reason;
    return { block: block.value };
  };

const readBlock =
  (at: Hex, hasTransactions: boolean) =>
  async (client: Rpc, signal: AbortSignal): Promise<Found> => ({
    block: await client.request(
      { method: "eth_getBlockByNumber", params: [at, hasTransactions] },
      { signal },
    ),
  });

/** A block that the node calls final. @throws viem's BaseError where it does not */
const findFinal = (rpc: BlockRpc, height: bigint, event: Hex): Promise<Found> => {
  const at = numberToHex(height);
  const [whole, bare] = [readBlock(at, true), readBlock(at, false)];
  return firstOf(
    () => readTogether(rpc, height, readWithLogs(at, event)),
    () => readTogether(rpc, height, whole),
    () => readTogether(rpc, height, bare),
    () => readAlone(rpc, rpc.alone, height, whole),
    () => readAlone(rpc, rpc.piece, height, bare),
  );
};

/** A node that has pruned the bodies of its blocks shows one without transactions that used gas. */
const isStripped = ({ transactions, gasUsed }: BlockHead): boolean =>
  transactions.length === 0 && (quantity.safeParse(gasUsed).data ?? 0n) > 0n;

/** Limits of logs that nodes have are multiples of this number. */
const LIMITS_OF_LOGS = 500;

/** Whether a node may tell some of a block's logs alone, at a limit of its own. */
const mayBeCut = (logs: readonly RpcLog[]): boolean => logs.length > 0 && logs.length % LIMITS_OF_LOGS === 0;

/**
 * Reads what a block did. A node that refuses a way to tell it, because it would tell too much at once, is asked in smaller pieces: the
 * logs of the block's hash, all of its receipts, each receipt; the block without its transactions, each transaction. All pieces must
 * be of the one block, or nothing is read. Receipts tell what logs there are, too, where a node tells no logs of a block whose Bloom filter may
 * hold some (a node that lags, or keeps none), and where it tells as many as its limit may be.
 * @param event the first topic of the logs that are read
 * @returns undefined when the node calls a block final that it does not have, or shows one that it has stripped
 * @throws viem's errors when the node does not answer, does not call the block final, or has forgotten what the block did (`isPruned`), and TypeError when the pieces do not fit
 */
export const readContents = async (
  rpc: BlockRpc,
  pieces: EvmPieces,
  height: bigint,
  event: Hex,
): Promise<BlockContents | undefined> => {
  const found = await findFinal(rpc, height, event);
  if (found.block === null) return undefined;
  const { hash } = found.block;
  if (hash === null) throw new TypeError("the block has no hash");
  const block = { ...found.block, hash };
  if (isStripped(block)) return undefined;
  if (found.logs?.some(({ blockHash }) => blockHash !== hash) === true) {
    throw new TypeError("the logs are not those of the block");
  }
  const logs = found.logs ?? (await logsOf(rpc, pieces, event, block));
  const isDoubted = mayBeCut(logs) || (logs.length === 0 && mayHoldTopic(block.logsBloom, event));
  return {
    hash,
    timestamp: block.timestamp,
    transactions: await transactionsOf(rpc, pieces, block),
    logs: isDoubted ? await receiptsLogs(rpc, pieces, event, block) : logs,
  };
};
