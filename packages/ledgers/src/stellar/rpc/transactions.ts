import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import { type JsonFields, toBase64 } from "../horizon/format.ts";
import { placeOf, placeOfLedger } from "../horizon/paging.ts";
import type { HorizonRecord } from "../ledger.ts";
import { eldestLedger, type HorizonState, latestLedger, recordNamed, recordsOf } from "../state.ts";
import { isResultOfSuccess } from "../transaction/validity.ts";
import { encodeXdr } from "../xdr/codec.ts";
import { xdrContractEvent } from "../xdr/event.ts";
import { type RpcAnswer, rpcResult, wrongParameters } from "./answer.ts";

const MOST_TRANSACTIONS = 200;
const DEFAULT_TRANSACTIONS = 50;

const infoJson = (record: HorizonRecord): JsonFields => {
  const { submission } = record;
  return {
    status: isResultOfSuccess(record.result) ? "SUCCESS" : "FAILED",
    txHash: submission.id,
    applicationOrder: record.order,
    feeBump: submission.bump !== undefined,
    envelopeXdr: toBase64(submission.bytes),
    resultXdr: toBase64(record.resultXdr),
    resultMetaXdr: toBase64(record.metaXdr),
    ledger: record.ledger,
    events: {
      transactionEventsXdr: [],
      contractEventsXdr: record.events.map((events) =>
        events.map((event) => toBase64(encodeXdr(xdrContractEvent, event))),
      ),
    },
  };
};

const range = (state: HorizonState) => {
  const [latest, eldest] = [latestLedger(state).header, eldestLedger(state).header];
  return { latest, eldest };
};

const oneSchema = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/, "is no transaction's hash") });

export const transactionAnswer = (state: HorizonState, parameters: unknown): RpcAnswer => {
  const parsed = oneSchema.safeParse(parameters);
  if (!parsed.success) return wrongParameters(z.prettifyError(parsed.error));
  const { hash } = parsed.data;
  const { latest, eldest } = range(state);
  const record = recordNamed(state, hash);
  return rpcResult({
    latestLedger: latest.sequence,
    latestLedgerCloseTime: latest.value.closedAt.toString(),
    oldestLedger: eldest.sequence,
    oldestLedgerCloseTime: eldest.value.closedAt.toString(),
    ...(record === undefined
      ? { status: "NOT_FOUND", txHash: hash }
      : { ...infoJson(record), txHash: hash, createdAt: record.closedAt.toString() }),
  });
};

const someSchema = z.object({
  startLedger: z.int().min(1).optional(),
  pagination: z
    .object({
      cursor: z
        .string()
        .regex(/^\d{1,20}$/, "is no cursor")
        .optional(),
      limit: z.int().min(1).max(MOST_TRANSACTIONS).optional(),
    })
    .optional(),
});

export const transactionsAnswer = (state: HorizonState, parameters: unknown): RpcAnswer => {
  const parsed = someSchema.safeParse(parameters);
  if (!parsed.success) return wrongParameters(z.prettifyError(parsed.error));
  const { startLedger, pagination } = parsed.data;
  const after =
    pagination?.cursor === undefined ? placeOfLedger(startLedger ?? 1) : BigInt(pagination.cursor);
  const page = recordsOf(state)
    .filter((record) => placeOf(record) > after)
    .slice(0, pagination?.limit ?? DEFAULT_TRANSACTIONS);
  const { latest, eldest } = range(state);
  const last = page.at(-1);
  return rpcResult({
    transactions: page.map(
      (record): LedgerJson => ({
        ...infoJson(record),
        createdAt: Number(record.closedAt),
      }),
    ),
    latestLedger: latest.sequence,
    latestLedgerCloseTimestamp: latest.value.closedAt,
    oldestLedger: eldest.sequence,
    oldestLedgerCloseTimestamp: eldest.value.closedAt,
    cursor: (last === undefined ? after : placeOf(last)).toString(),
  });
};
