import { ok, type Result, tronAddress } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import { type BlockPieces, wholeOrPieces } from "../../answers/block-pieces.ts";
import { dateByMs } from "../../block-date.ts";
import type { AreOurs, Arrival } from "../../chain.ts";
import { blockId, count, isShownWhole, ofItsContents } from "./blocks.ts";
import {
  type AnswerReading,
  askTron,
  findTron,
  HEX_BYTES,
  type TronHttp,
  textInHex,
  tronAway,
  WHOLE_BLOCK,
} from "./http.ts";
import { logSchema, tronMovementIn } from "./logs.ts";

const TRC10_ID = /^[1-9][0-9]{0,18}$/;

const hex = z.string().regex(HEX_BYTES);
const address = z
  .string()
  .regex(/^41[0-9a-fA-F]{40}$/)
  .transform((digits) => tronAddress(hexToBytes(digits.slice(2))));

const contractSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("TransferContract"),
    parameter: z.object({ value: z.object({ owner_address: address, to_address: address, amount: count }) }),
  }),
  z.object({
    type: z.literal("TransferAssetContract"),
    parameter: z.object({
      value: z.object({ owner_address: address, to_address: address, amount: count, asset_name: hex }),
    }),
  }),
]);
/** The ledger's own payments. */
const PAYMENTS: ReadonlySet<string> = new Set(["TransferContract", "TransferAssetContract"]);
const retSchema = z.array(z.object({ contractRet: z.string().optional() })).default([]);
const hasFailed = (ret: z.output<typeof retSchema>): boolean =>
  ret.some(({ contractRet = "SUCCESS" }) => contractRet !== "SUCCESS");
const transactionSchema = z
  .object({
    txID: blockId,
    ret: retSchema,
    raw_data: z.object({ contract: z.array(z.object({ type: z.string() }).loose()) }),
  })
  // of a payment in another spelling nobody knows whom it paid
  .refine(
    ({ ret, raw_data }) =>
      hasFailed(ret) ||
      raw_data.contract.every(
        (contract) => !PAYMENTS.has(contract.type) || contractSchema.safeParse(contract).success,
      ),
  );
const blockSchema = ofItsContents
  .extend({ transactions: z.array(transactionSchema).default([]) })
  .refine(isShownWhole);
type Included = z.output<typeof transactionSchema>;

const infoSchema = z.object({
  id: blockId,
  result: z.string().optional(),
  log: z.array(logSchema).default([]),
});
type Info = z.output<typeof infoSchema>;

/** Of logs no number is read. */
const LOGS_OF_BLOCK: AnswerReading = { bytesMax: 16 * 1024 * 1024, hasLongNumbers: false };
/**
 * One transaction may burn 15 000 TRX (java-tron, MAX_FEE_LIMIT), for which it gets 150 million energy at 100 sun: at 8 energy a byte of a
 * log these are 19 million bytes, twice as many in hex, beside what it returns.
 */
const LOGS_OF_ONE: AnswerReading = { bytesMax: 64 * 1024 * 1024, hasLongNumbers: false, timeoutMs: 60_000 };

/** What calls moved whose logs came one by one. */
export type TronPieces = BlockPieces<readonly Arrival[]>;

/** What the ledger's own payments moved, if they were carried out. */
const paymentsBy = ({ txID: txHash, ret, raw_data }: Included): readonly Arrival[] => {
  if (hasFailed(ret)) return [];
  return raw_data.contract.flatMap((contract): readonly Arrival[] => {
    const known = contractSchema.safeParse(contract);
    if (!known.success) return [];
    const { owner_address: from, to_address: to, amount } = known.data.parameter.value;
    if (amount === 0n) return [];
    const value = { to, amount: amount.toString() };
    if (known.data.type === "TransferContract") {
      return [{ txHash, place: "contract", from, moved: { kind: "Native", ...value } }];
    }
    const tokenId = textInHex(known.data.parameter.value.asset_name) ?? "";
    // of old, and of a node that lies, tokens have names in place of ids
    if (!TRC10_ID.test(tokenId)) return [];
    return [{ txHash, place: "contract", from, moved: { kind: "Trc10", tokenId, ...value } }];
  });
};

/**
 * What a solid block brought to wallets here: payments of the ledger's own coins, and what tokens' logs tell. Any contract can
 * write such a log: it says what a contract claims to have moved. TRX that a contract pays out is not seen.
 * @returns undefined when the node has no such block, or none of its logs: yet, or any more
 */
export const tronArrivals = async (
  http: TronHttp,
  pieces: TronPieces,
  height: bigint,
  areOurs: AreOurs,
): Promise<Result<readonly Arrival[] | undefined>> => {
  const found = await findTron(http, {
    path: "/walletsolidity/getblock",
    body: { id_or_num: height.toString(), detail: true },
    schema: blockSchema,
    reading: WHOLE_BLOCK,
  });
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  const { transactions, block_header } = found.value;
  if (block_header.raw_data.number !== height) {
    return tronAway(http.network, `asked for block ${height}, it shows another one`);
  }
  if (transactions.length === 0) return ok([]);
  const logged = await logsOf(http, pieces, height, transactions);
  if (!logged.ok) return logged;
  if (logged.value === undefined) return ok(undefined);
  const seen = [...transactions.flatMap(paymentsBy), ...logged.value];
  if (seen.length === 0) return ok([]);
  const ours = await areOurs([...new Set(seen.map(({ moved }) => moved.to))]);
  const date = dateByMs(block_header.raw_data.timestamp);
  return ok(seen.filter(({ moved }) => ours.has(moved.to)).map((arrival) => ({ ...arrival, ...date })));
};

/** Transactions that run a contract's code, which may write logs: a call, and the making of a contract, whose constructor runs. */
const RUNNING: ReadonlySet<string> = new Set(["TriggerSmartContract", "CreateSmartContract"]);

/** What each call of a block moved, by its transaction's id. */
type Movements = ReadonlyMap<string, readonly Arrival[]>;

const movementsOf = ({ id, result, log }: Info): readonly Arrival[] =>
  result === "FAILED" ? [] : log.flatMap((each, nth) => tronMovementIn(id, each, nth) ?? []);

/** Asks how a block's calls ended. A node that has none of it answers with an empty list (java-tron, Wallet.getTransactionInfoByBlockNum). */
const movementsOfBlock = async (http: TronHttp, height: bigint): Promise<Result<Movements>> => {
  const infos = await askTron(http, {
    path: "/walletsolidity/gettransactioninfobyblocknum",
    body: { num: Number(height) },
    schema: z.array(infoSchema),
    reading: LOGS_OF_BLOCK,
  });
  return infos.ok ? ok(new Map(infos.value.map((info) => [info.id, movementsOf(info)]))) : infos;
};

const movementsOfCall = async (http: TronHttp, txID: string): Promise<Result<readonly Arrival[]>> => {
  const info = await askTron(http, {
    path: "/walletsolidity/gettransactioninfobyid",
    body: { value: txID },
    schema: infoSchema,
    reading: LOGS_OF_ONE,
  });
  if (!info.ok) return info;
  return info.value.id === txID
    ? ok(movementsOf(info.value))
    : tronAway(http.network, `asked for the logs of ${txID}, it shows other ones`);
};

/** The same, each by itself, and one after the other: any of them may be tens of megabytes long. */
const movementsInPieces = async (
  http: TronHttp,
  pieces: TronPieces,
  height: bigint,
  calls: readonly Included[],
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
 * Reads the movements that the logs of a block tell. Two nodes behind a load balancer may differ in what they have: each call has its logs.
 * @returns undefined when the node has the block and none of its logs: of a block that is young it takes them in yet, of an old one a
 *   lite full node has the block alone
 */
const logsOf = async (
  http: TronHttp,
  pieces: TronPieces,
  height: bigint,
  transactions: readonly Included[],
): Promise<Result<readonly Arrival[] | undefined>> => {
  const calls = transactions.filter(({ raw_data }) =>
    raw_data.contract.some(({ type }) => RUNNING.has(type)),
  );
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
