import { BaseError } from "viem";
import { heightCalledFinal } from "../final-block.ts";
import { type BlockRpc, hurdleBy, type Rpc, refusalOf } from "../rpc.ts";

/** Asks for what a block holds. Calls with the signal are one batch, where the client asks together. */
type Read<T> = (client: Rpc, signal: AbortSignal) => Promise<T>;

/**
 * Whether a node calls a block final.
 * @returns undefined where it knows no finalized block: asked again, it tells by depth
 * @throws viem's errors when it does not answer; TypeError when it refuses, which says nothing of the block
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

/** No smaller piece is asked for by this error: a piece would not be final, either. */
const notFinal = (height: bigint): BaseError => new BaseError(`it does not call block ${height} final yet`);

/**
 * Reads of a block in one request, with whether the node that answers it calls the block final: another one
 * behind the same address may have reported the final height, and this one's block may be an orphan. That is
 * the first call of the batch: a node's answer about a height after it called it final is final, also where it
 * catches up meanwhile.
 * @throws viem's BaseError where it does not call the block final
 */
export const readTogether = async <T>(rpc: BlockRpc, height: bigint, read: Read<T>): Promise<T> => {
  const ask = async (): Promise<{ readonly reported: T } | undefined> => {
    // the client sends calls with the same signal in one batch: those of another block, asked for at this moment, have another one
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
 * Reads of a block in a request of its own, once a node called it final in another: for nodes that answer no batches.
 * @param client asks both, with its own patience
 * @throws viem's BaseError where no node calls the block final
 */
export const readAlone = async <T>(rpc: BlockRpc, client: Rpc, height: bigint, read: Read<T>): Promise<T> => {
  const { signal } = new AbortController();
  const ask = () => isFinal(rpc, client, height, signal);
  if (((await ask()) ?? (await ask())) !== true) throw notFinal(height);
  return read(client, signal);
};
