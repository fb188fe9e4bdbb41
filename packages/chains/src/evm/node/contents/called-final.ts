import { BaseError } from "viem";
import { heightCalledFinal } from "../final-block.ts";
import { type BlockRpc, hurdleBy, type Rpc, refusalOf } from "../rpc.ts";

/** Reads data of a block. Calls with the same signal go into one batch, if the client batches. */
type Read<T> = (client: Rpc, signal: AbortSignal) => Promise<T>;

/**
 * Whether a node calls a block final.
 *
 * @returns undefined if the node knows no finalized block; the next call then judges by depth
 * @throws viem's errors when it does not answer; TypeError when it refuses, which proves nothing about the block
 */
const isFinal = async (
  { alone, finality }: BlockRpc,
  client: Rpc,
  height: bigint,
  signal: AbortSignal,
): Promise<boolean | undefined> => {
  try {
    const final = await heightCalledFinal(alone, finality, client, signal);
    return final === undefined ? undefined : final >= height;
  } catch (error) {
    const refusal = error instanceof BaseError && !hurdleBy(error) ? refusalOf(error) : undefined;
    if (refusal === undefined) throw error;
    throw new TypeError(`it does not tell whether block ${height} is final: ${refusal.message}`);
  }
};

/** This error makes no caller try smaller pieces, which would not be final either. */
const notFinal = (height: bigint): BaseError => new BaseError(`it does not call block ${height} final yet`);

/**
 * Reads data of a block, and in the same batch whether the answering node calls the block final: another node behind
 * the same address may have reported the final height, and this node's block may be an orphan. The finality is the
 * first call of the batch, so that the later answers are final even if the node catches up meanwhile.
 *
 * @throws viem's BaseError if it does not call the block final
 */
export const readTogether = async <T>(rpc: BlockRpc, height: bigint, read: Read<T>): Promise<T> => {
  const ask = async (): Promise<{ readonly reported: T } | undefined> => {
    // the client batches calls with the same signal; concurrent reads of other blocks have other signals
    const { signal } = new AbortController();
    const [final, reported] = await Promise.allSettled([
      isFinal(rpc, rpc.together, height, signal),
      read(rpc.together, signal),
    ]);
    if (final.status === "rejected") throw final.reason;
    if (final.value === undefined) return undefined;
    if (!final.value) throw notFinal(height);
    if (reported.status === "rejected") throw reported.reason;
    return { reported: reported.value };
  };
  const found = (await ask()) ?? (await ask());
  if (found === undefined) throw notFinal(height);
  return found.reported;
};

/**
 * Reads data of a block in a separate request, after a request that called it final: for nodes that do not support
 * batches.
 *
 * @param client sends both requests, with its own timeout
 * @throws viem's BaseError if no node calls the block final
 */
export const readAlone = async <T>(rpc: BlockRpc, client: Rpc, height: bigint, read: Read<T>): Promise<T> => {
  const { signal } = new AbortController();
  const ask = () => isFinal(rpc, client, height, signal);
  if (((await ask()) ?? (await ask())) !== true) throw notFinal(height);
  return read(client, signal);
};
