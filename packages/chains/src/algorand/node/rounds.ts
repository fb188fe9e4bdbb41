import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { type BlockDate, dateBySeconds } from "../../block-date.ts";
import type { ChainHead, OwnBlock } from "../../chain.ts";
import { type Algod, askFor, demandOf } from "./rest.ts";
import type { RoundMemory } from "./round-memory.ts";

const round = z.bigint().nonnegative();
const statusSchema = z.object({ "last-round": round });
/** nanoseconds; zero if the node has caught up */
const progressSchema = z.object({ "catchup-time": z.bigint() });
/** base32 of 32 bytes */
const hashSchema = z.object({ blockHash: z.string().regex(/^[A-Z2-7]{52}$/) });
const idsSchema = z.object({ blockTxids: z.array(z.string().regex(/^[A-Z2-7]{52}$/)) });

/** Stands for the parent of the first block, which has none. */
const NO_HASH = "A".repeat(52);
/** A header gives the hash of its parent after this prefix. */
const PARENT_PREFIX = "blk-";

/** The last round that the node has. */
export const lastRoundOf = async (algod: Algod): Promise<Result<bigint>> => {
  const status = await demandOf(algod, "/v2/status", statusSchema);
  return status.ok ? ok(status.value["last-round"]) : status;
};

const headerSchema = z.object({ block: z.object({ fees: z.string(), rwd: z.string() }) });

/** The accounts that only the protocol can debit; they are the same in every block of a chain. */
export interface ProtocolAccounts {
  readonly feeSink: string;
  readonly rewardsPool: string;
}

/** The protocol's own accounts, from the header of the last block. */
export const protocolAccounts = async (algod: Algod): Promise<Result<ProtocolAccounts>> => {
  const last = await lastRoundOf(algod);
  if (!last.ok) return last;
  const found = await demandOf(algod, `/v2/blocks/${last.value}?format=json&header-only=true`, headerSchema);
  return found.ok ? ok({ feeSink: found.value.block.fees, rewardsPool: found.value.block.rwd }) : found;
};

/** The first block has no parent. */
const placedSchema = z.object({
  block: z.object({
    prev: z
      .string()
      .regex(/^blk-[A-Z2-7]{52}$/)
      .optional(),
    ts: z.bigint().optional(),
  }),
});
type Placed = z.output<typeof placedSchema>["block"];

/** The parent and the time in a round's header. @returns undefined if the node does not have the round */
const placeOfRound = async (algod: Algod, height: bigint): Promise<Result<Placed | undefined>> => {
  const found = await askFor(algod, `/v2/blocks/${height}?format=json&header-only=true`, placedSchema);
  return found.ok ? ok(found.value?.block) : found;
};

/** Whether the node reports that it is still fetching rounds that its network already has. */
export const isCatchingUpAlgod = async (algod: Algod): Promise<Result<boolean>> => {
  const status = await demandOf(algod, "/v2/status", progressSchema);
  return status.ok ? ok(status.value["catchup-time"] > 0n) : status;
};

/**
 * The time of a round. Answers about transactions do not contain it, so the round's header is read once.
 *
 * @returns no date if the node does not have the header, or the header has no time; ServiceUnavailable
 */
export const dateOfRound = async (
  algod: Algod,
  memory: RoundMemory,
  height: bigint,
): Promise<Result<BlockDate>> => {
  const known = memory.timeOf(height);
  if (known !== undefined) return ok(dateBySeconds(known));
  const found = await placeOfRound(algod, height);
  if (!found.ok) return found;
  const time = found.value?.ts;
  if (time !== undefined) memory.rememberTime(height, time);
  return ok(dateBySeconds(time));
};

/** @returns undefined if the node does not have the round */
export const hashOfRound = async (algod: Algod, height: bigint): Promise<Result<string | undefined>> => {
  const found = await askFor(algod, `/v2/blocks/${height}/hash`, hashSchema);
  return found.ok ? ok(found.value?.blockHash) : found;
};

/** The ids of a round's transactions, in their order; undefined if the node does not have the round. */
export const idsOfRound = async (
  algod: Algod,
  height: bigint,
): Promise<Result<readonly string[] | undefined>> => {
  const found = await askFor(algod, `/v2/blocks/${height}/txids`, idsSchema);
  return found.ok ? ok(found.value?.blockTxids) : found;
};

/** A block of Algorand is final as soon as it exists. */
export const algorandHead = async (algod: Algod): Promise<Result<ChainHead>> => {
  const height = await lastRoundOf(algod);
  if (!height.ok) return height;
  const found = await demandOf(algod, `/v2/blocks/${height.value}/hash`, hashSchema);
  return found.ok
    ? ok({
        height: height.value,
        hash: found.value.blockHash,
        confirmedHeight: height.value,
        finalHeight: height.value,
      })
    : found;
};

/** Our transactions in a block. @returns undefined if the node does not have the block yet */
export const algorandBlock = async (
  algod: Algod,
  height: bigint,
  ours: ReadonlySet<string>,
): Promise<Result<OwnBlock | undefined>> => {
  const [hash, place, ids] = await Promise.all([
    hashOfRound(algod, height),
    placeOfRound(algod, height),
    idsOfRound(algod, height),
  ]);
  if (!hash.ok) return hash;
  if (!place.ok) return place;
  if (!ids.ok) return ids;
  if (hash.value === undefined || place.value === undefined || ids.value === undefined) return ok(undefined);
  const { prev, ts } = place.value;
  const parentHash = prev?.slice(PARENT_PREFIX.length) ?? NO_HASH;
  const holds = ids.value.filter((id) => ours.has(id));
  return ok({ height, hash: hash.value, parentHash, holds, ...dateBySeconds(ts) });
};
