import { ok, type Result } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import type { Fate, OwnTransaction } from "../../chain.ts";
import type { TronNetwork } from "../network.ts";
import { decodeTron, type TronDraft, tronId } from "../transaction.ts";
import type { BlockProgress } from "./block-progress.ts";
import { genesisBlockOf, lastTronBlock, type TronBlockHeader, tronBlockAt } from "./blocks.ts";
import { type TronHttp, tronAway } from "./http.ts";
import { referredBlock } from "./reference.ts";

const OPEN: Fate = { kind: "open" };
/** Blocks that are requested at once, and in one look. */
const BLOCKS_AT_ONCE = 16n;
const BLOCKS_A_LOOK = 320n;

interface Known extends Pick<TronDraft, "refBlockBytes" | "refBlockHash" | "expirationMs"> {
  readonly id: string;
}

/**
 * Whether transactions of one account can no longer land (INV-4): a solid block is later than the expiration of each,
 * and no solid block in which one could have landed contains its id. These blocks reach from the one to which it refers
 * up to the first one after the expiration. An id does not depend on the signature.
 *
 * A node's answer about a single transaction does not count: a node without history answers as if there had been none,
 * and of two behind a load balancer one may lag. Each block is read whole, and if the node does not have one, there is
 * no verdict.
 *
 * @returns ServiceUnavailable when there is no verdict, or not yet: a range of many blocks is read in several looks
 */
export const tronFate = async (
  { genesisBlock }: Pick<TronNetwork, "genesisBlock">,
  http: TronHttp,
  progress: BlockProgress,
  transactions: readonly OwnTransaction[],
): Promise<Result<Fate>> => {
  if (transactions.length === 0) throw new TypeError("there is no transaction whose fate is asked for");
  const known: Known[] = [];
  for (const { unsigned } of transactions) {
    const decoded = decodeTron(unsigned);
    if (!decoded.ok) return decoded;
    known.push({ ...decoded.value, id: tronId(unsigned) });
  }
  const [genesis, solid] = await Promise.all([genesisBlockOf(http), lastTronBlock(http, "walletsolidity")]);
  if (!genesis.ok) return genesis;
  if (!solid.ok) return solid;
  // another chain's blocks prove nothing: they cannot contain these transactions
  if (genesis.value !== genesisBlock) return tronAway(http.network, "it is of another chain");
  if (known.some(({ expirationMs }) => expirationMs >= solid.value.timeMs)) return ok(OPEN);
  for (const each of known) {
    const missed = await hasMissed(http, progress, each, solid.value);
    if (!missed.ok) return missed;
    if (!missed.value) return ok(OPEN);
  }
  const times = known.map(({ expirationMs }) => new Date(Number(expirationMs)).toISOString()).join(", ");
  return ok({ kind: "dead", reason: `its expiration ${times} is past; this one can never land` });
};

/** Whether a transaction is in none of the blocks in which it could have landed; reads all of them. */
const hasMissed = async (
  http: TronHttp,
  progress: BlockProgress,
  known: Known,
  solid: TronBlockHeader,
): Promise<Result<boolean>> => {
  const verdict = progress.verdictOf(known.id);
  if (verdict !== undefined) return ok(verdict === "missed");
  const first = await firstOf(http, progress, known, solid);
  if (!first.ok) return first;
  const from = first.value;
  if (from === undefined) return ok(progress.remember(known.id, "missed") === "missed");
  for (let height = from; height < from + BLOCKS_A_LOOK; height += BLOCKS_AT_ONCE) {
    const heights = Array.from({ length: Number(BLOCKS_AT_ONCE) }, (_, at) => height + BigInt(at));
    const read = await Promise.all(
      heights.filter((each) => each <= solid.height).map((each) => tronBlockAt(http, "walletsolidity", each)),
    );
    for (const block of read) {
      if (!block.ok) return block;
      if (block.value === undefined) {
        return tronAway(http.network, "it has not every solid block, so it gives no verdict");
      }
      if (block.value.ids.includes(known.id)) return ok(progress.remember(known.id, "landed") === "missed");
      // a block includes a transaction if its parent's time is before the expiration; the next block cannot
      if (block.value.timeMs > known.expirationMs)
        return ok(progress.remember(known.id, "missed") === "missed");
    }
    progress.advance(known.id, height + BigInt(read.length));
  }
  return tronAway(http.network, "the blocks in which a transaction could have landed are still being read");
};

/**
 * The first block to read: the exact block to which the transaction refers, or the one after the last that was read.
 *
 * @returns undefined if no solid block is the one to which it refers, for example because that was forked away: then it
 * can never land
 */
const firstOf = async (
  http: TronHttp,
  progress: BlockProgress,
  known: Known,
  solid: TronBlockHeader,
): Promise<Result<bigint | undefined>> => {
  const next = progress.nextOf(known.id);
  if (next !== undefined) return ok(next);
  const referred = await referredBlock(http, "walletsolidity", known, solid);
  if (!referred.ok) return referred;
  switch (referred.value.kind) {
    case "block":
      return ok(referred.value.height);
    case "none":
      return ok(undefined);
    case "unclear":
      return tronAway(
        http.network,
        `it does not have the block ${bytesToHex(known.refBlockHash)} that a transaction refers to, so it gives no verdict`,
      );
  }
};
