import { BaseError, type Hash, type Hex, type RpcLog, RpcRequestError } from "viem";
import { numberToHex } from "viem/utils";
import { mayHoldTopic } from "../../landed/bloom.ts";
import { quantity } from "../../landed/receipt.ts";
import { type BlockRpc, hurdleBy, type Rpc } from "../rpc.ts";
import { readAlone, readTogether } from "./called-final.ts";
import { type BlockTransaction, type EvmPieces, pieceOfEach } from "./pieces.ts";

/**
 * Messages of nodes that no longer have a block's effects: geth ("missing trie node", "pruned history unavailable"),
 * erigon, nethermind and besu ("World state is not available"), reth ("block is pruned").
 */
const PRUNED = /\bprun(ed|ing)\b|missing trie node|(history|state)( is)? (not |un)available/i;

/** The parts of a block's effects that are read. */
export interface BlockContents {
  readonly hash: Hash;
  /** Unix seconds, in the node's encoding */
  readonly timestamp: unknown;
  readonly transactions: readonly BlockTransaction[];
  /** of the requested event only, in the block's order */
  readonly logs: readonly RpcLog[];
}

interface BlockHead {
  /** null for a pending block */
  readonly hash: Hash | null;
  readonly timestamp?: unknown;
  readonly logsBloom?: unknown;
  readonly gasUsed?: unknown;
  readonly transactions: readonly (BlockTransaction | Hash)[];
}
type MadeBlock = BlockHead & { readonly hash: Hash };

/** Whether a node says that it has forgotten the requested data. */
export const isPruned = (error: unknown): boolean => {
  const refused = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError);
  return refused instanceof RpcRequestError && PRUNED.test(refused.details);
};

/**
 * Whether another way of reading may succeed: the node refuses a call, its answer is too large for a proxy before it,
 * or it takes too long.
 */
const mayAnswerOtherwise = (error: unknown): boolean => {
  // a piece is missing, or belongs to another block
  if (error instanceof TypeError) return true;
  if (!(error instanceof BaseError)) return false;
  const refused = error.walk((cause) => cause instanceof RpcRequestError);
  return refused !== null || hurdleBy(error) !== undefined;
};

/**
 * The result of the first way that is not refused. @throws the last error, or the one that says that the data is
 * forgotten
 */
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

/** The logs of one event, from receipts, which contain those of all events. */
const logsIn = (receipts: readonly { readonly logs: readonly RpcLog[] }[], event: Hex): readonly RpcLog[] =>
  receipts.flatMap(({ logs }) => logs.filter(({ topics }) => topics[0] === event));

/** The logs of a block; a node that refuses to list them may still give its receipts. */
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

/** The logs from a block's receipts: in one answer, or one by one. */
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

/** The transactions of a block: from the block itself, or one by one if together they are too large. */
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
  /** undefined if they must be read in another way */
  readonly logs?: readonly RpcLog[] | undefined;
}

/**
 * Reads a block and its logs. In one request, both come from one node; two nodes behind a load balancer may have
 * different data.
 */
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
    // a node may refuse logs of a block that it does not have
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

/** A block that the node calls final. @throws viem's BaseError if it does not */
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

/** Whether the node has pruned the block's body: it shows no transactions, but used gas. */
const isStripped = ({ transactions, gasUsed }: BlockHead): boolean =>
  transactions.length === 0 && (quantity.safeParse(gasUsed).data ?? 0n) > 0n;

/** Nodes' limits on the number of logs are multiples of this number. */
const LIMITS_OF_LOGS = 500;

/** Whether the list may be cut off at a limit of the node. */
const mayBeCut = (logs: readonly RpcLog[]): boolean => logs.length > 0 && logs.length % LIMITS_OF_LOGS === 0;

/**
 * Reads a block's effects. If the node refuses a way of reading, because the answer is too large, smaller pieces are
 * read: the logs by the block's hash, all receipts, each receipt; the block without its transactions, each transaction.
 * All pieces must be of the same block, or nothing is read. Logs are also read from receipts if the node lists none
 * although the block's Bloom filter may contain some (a node that lags, or keeps none), and if their number may be the
 * node's limit.
 *
 * @param event the first topic of the logs that are read
 * @returns undefined if the node calls the block final but does not have it, or has pruned its body
 * @throws viem's errors when the node does not answer, does not call the block final, or has forgotten its effects
 * (`isPruned`), and TypeError when the pieces do not fit
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
