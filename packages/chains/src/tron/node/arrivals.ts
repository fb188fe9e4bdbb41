import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { type BlockPieces, wholeOrPieces } from "../../answers/block-pieces.ts";
import { dateByMs } from "../../block-date.ts";
import type { Arrival } from "../../chain.ts";
import { readInTurns } from "../../turns/node/in-turns.ts";
import { arrivalEnds, concerning, type OursAtEnds } from "../../turns/node/ours-among.ts";
import { blockId, isShownWhole, ofItsContents } from "./blocks.ts";
import { type AnswerReading, askTron, findTron, type TronHttp, tronAway, WHOLE_BLOCK } from "./http.ts";
import { logSchema, tronMovementIn } from "./logs.ts";
import { type TronIncluded, tronIncludedIn, tronPayment } from "./payments.ts";

const BLOCK = "/walletsolidity/getblock";
const LOGS_BY_BLOCK = "/walletsolidity/gettransactioninfobyblocknum";
const LOGS_BY_ID = "/walletsolidity/gettransactioninfobyid";

const blockSchema = ofItsContents
  .extend({ transactions: z.array(z.unknown()).default([]) })
  .refine(isShownWhole);

const infoSchema = z.object({
  id: blockId,
  result: z.string().optional(),
  log: z.array(z.unknown()).default([]),
});
type Info = z.output<typeof infoSchema>;

const jsonOf = (text: string): unknown => JSON.parse(text);
/** No number is read from logs, so plain JSON parsing suffices. */
const LOGS_OF_BLOCK: AnswerReading = { bytesMax: 16 * 1024 * 1024, parse: jsonOf };
/**
 * A transaction may burn 15 000 TRX (java-tron, MAX_FEE_LIMIT), which buys 150 million energy at 100 sun. At 8 energy
 * per byte of a log these are 19 million bytes, twice as many in hex, in addition to the call's result.
 */
const LOGS_OF_ONE: AnswerReading = { bytesMax: 64 * 1024 * 1024, parse: jsonOf, timeoutMs: 60_000 };

/** For blocks that are read over several rounds: the movements of calls whose logs were read one by one. */
export type TronPieces = BlockPieces<readonly Arrival[]>;

/**
 * The arrivals of a solid block that concern us: payments of the ledger's own coins, and movements in tokens' logs. Any
 * contract can write such a log, so it shows only what the contract claims to have moved. TRX that a contract pays out
 * is not detected.
 *
 * @returns undefined if the node does not have the block, or none of its logs, yet or any more
 */
export const tronArrivals = async (
  http: TronHttp,
  pieces: TronPieces,
  height: bigint,
  ours: OursAtEnds,
): Promise<Result<readonly Arrival[] | undefined>> => {
  const found = await findTron(http, {
    path: BLOCK,
    body: { id_or_num: height.toString(), detail: true },
    schema: blockSchema,
    reading: WHOLE_BLOCK,
  });
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  const { block_header } = found.value;
  const transactions = await readInTurns(found.value.transactions, tronIncludedIn);
  if (transactions === undefined) return tronAway(http.network, `its answer to ${BLOCK} cannot be read`);
  if (block_header.raw_data.number !== height) {
    return tronAway(http.network, `asked for block ${height}, it shows another one`);
  }
  if (transactions.length === 0) return ok([]);
  const logged = await logsOf(http, pieces, height, transactions);
  if (!logged.ok) return logged;
  if (logged.value === undefined) return ok(undefined);
  const paid = transactions.flatMap((each) => each.paid);
  // payers are spelled only where one may be of concern: `tronIncludedIn` says why
  const payments = paid.map((each) => ({
    each,
    ...(ours.arePayers === undefined ? { ...each.arrival, from: undefined } : tronPayment(each)),
  }));
  const isOurs = await concerning(ours, [...payments, ...logged.value], arrivalEnds);
  const kept = payments.filter(isOurs).map(({ each }) => tronPayment(each));
  const date = dateByMs(block_header.raw_data.timestamp);
  return ok([...kept, ...logged.value.filter(isOurs)].map((arrival) => ({ ...arrival, ...date })));
};

/** The movements of each call of a block, by its transaction's id. */
type Movements = ReadonlyMap<string, readonly Arrival[]>;

function* logsIn(infos: readonly Info[]) {
  for (const info of infos) for (const [nth, reported] of info.log.entries()) yield { info, reported, nth };
}

/** The movements of calls, from their logs. @returns undefined if a log cannot be read */
const movementsIn = async (reported: readonly unknown[]): Promise<Movements | undefined> => {
  const infos = await readInTurns(reported, (info) => infoSchema.safeParse(info).data);
  if (infos === undefined) return undefined;
  const moved = new Map<Info, Arrival[]>(infos.map((info) => [info, []]));
  const logs = await readInTurns(logsIn(infos), ({ info, reported, nth }) => {
    const log = logSchema.safeParse(reported);
    if (!log.success) return undefined;
    const arrival = info.result === "FAILED" ? undefined : tronMovementIn(info.id, log.data, nth);
    if (arrival !== undefined) moved.get(info)?.push(arrival);
    return log.success;
  });
  return logs && new Map(infos.map((info) => [info.id, moved.get(info) ?? []]));
};

/**
 * The movements of a block's calls. A node that has none of the records answers with an empty list (java-tron,
 * Wallet.getTransactionInfoByBlockNum).
 */
const movementsOfBlock = async (http: TronHttp, height: bigint): Promise<Result<Movements>> => {
  const infos = await askTron(http, {
    path: LOGS_BY_BLOCK,
    body: { num: Number(height) },
    schema: z.array(z.unknown()),
    reading: LOGS_OF_BLOCK,
  });
  if (!infos.ok) return infos;
  const moved = await movementsIn(infos.value);
  return moved === undefined
    ? tronAway(http.network, `its answer to ${LOGS_BY_BLOCK} cannot be read`)
    : ok(moved);
};

const movementsOfCall = async (http: TronHttp, txID: string): Promise<Result<readonly Arrival[]>> => {
  const info = await askTron(http, {
    path: LOGS_BY_ID,
    body: { value: txID },
    schema: z.unknown(),
    reading: LOGS_OF_ONE,
  });
  if (!info.ok) return info;
  const moved = await movementsIn([info.value]);
  if (moved === undefined) return tronAway(http.network, `its answer to ${LOGS_BY_ID} cannot be read`);
  const arrivals = moved.get(txID);
  return arrivals === undefined
    ? tronAway(http.network, `asked for the logs of ${txID}, it shows other ones`)
    : ok(arrivals);
};

/** The same, read one call after another, because each may be tens of megabytes long. */
const movementsInPieces = async (
  http: TronHttp,
  pieces: TronPieces,
  height: bigint,
  calls: readonly TronIncluded[],
): Promise<Result<Movements>> => {
  const read = await pieces.pieces(
    height.toString(),
    calls,
    ({ txID }) => txID,
    ({ txID }) => movementsOfCall(http, txID),
    1,
  );
  return read.ok ? ok(new Map(calls.map(({ txID }, at) => [txID, read.value[at] ?? []]))) : read;
};

/**
 * Reads the movements in the logs of a block. Two nodes behind a load balancer may have different data, so every call's
 * logs must be there.
 *
 * @returns undefined if the node has the block but none of its logs: it has not processed a recent block yet, or is a
 * lite full node, which has only the bodies of old blocks
 */
const logsOf = async (
  http: TronHttp,
  pieces: TronPieces,
  height: bigint,
  transactions: readonly TronIncluded[],
): Promise<Result<readonly Arrival[] | undefined>> => {
  const calls = transactions.filter(({ isRunning }) => isRunning);
  if (calls.length === 0) return ok([]);
  const moved = await wholeOrPieces(
    pieces,
    height.toString(),
    () => movementsOfBlock(http, height),
    () => movementsInPieces(http, pieces, height, calls),
    (found) => calls.every(({ txID }) => found.has(txID)),
  );
  if (!moved.ok) return moved;
  if (moved.value.size === 0) return ok(undefined);
  const byCall = calls.map(({ txID }) => moved.value.get(txID));
  return byCall.includes(undefined)
    ? tronAway(http.network, `its logs of block ${height} are not those of the block`)
    : ok(byCall.flatMap((each) => each ?? []));
};
