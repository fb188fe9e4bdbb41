import type { HorizonRecord } from "../ledger.ts";

/** Horizon's defaults and limits. */
const DEFAULT_LIMIT = 10;
const MOST_RECORDS = 200;
const CURSOR_DIGITS_MAX = 20;
const LEDGER_BITS = 32n;
const ORDER_BITS = 12n;

/** The position of a transaction in the whole history, as an increasing number. @source stellar/go, toid */
export const placeOf = ({ ledger, order }: Pick<HorizonRecord, "ledger" | "order">): bigint =>
  (BigInt(ledger) << LEDGER_BITS) | (BigInt(order) << ORDER_BITS);

/** The position of an operation. @param at counted from 1 in its transaction */
export const placeOfOperation = (record: Pick<HorizonRecord, "ledger" | "order">, at: number): bigint =>
  placeOf(record) | BigInt(at);

/** Splits a position into ledger, transaction and operation. */
export const operationPlaced = (place: bigint) => ({
  ledger: Number(place >> LEDGER_BITS),
  order: Number(BigInt.asUintN(Number(LEDGER_BITS), place) >> ORDER_BITS),
  /** from 1; 0 if the position is a transaction's */
  operation: Number(BigInt.asUintN(Number(ORDER_BITS), place)),
});

export const placeOfLedger = (sequence: number): bigint => BigInt(sequence) << LEDGER_BITS;

/** The page of a list that a request asks for. */
export interface HorizonPageWish {
  readonly cursor: bigint | undefined;
  readonly isDescending: boolean;
  readonly limit: number;
}

export interface HorizonPageFlaw {
  readonly field: "cursor" | "limit" | "order";
  readonly reason: string;
}

/**
 * Reads the paging parameters of a request.
 * @param newest the position that "now" stands for
 */
export const readPageWish = (
  query: (name: string) => string | undefined,
  newest: bigint,
): HorizonPageWish | HorizonPageFlaw => {
  const [cursor = "", order = "asc", limit = String(DEFAULT_LIMIT)] = [
    query("cursor"),
    query("order"),
    query("limit"),
  ];
  if (order !== "asc" && order !== "desc") {
    return { field: "order", reason: "order: must be asc or desc" };
  }
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MOST_RECORDS) {
    return { field: "limit", reason: `limit: must be a number from 1 to ${MOST_RECORDS}` };
  }
  const isDescending = order === "desc";
  if (cursor === "" || cursor === "now") {
    return { cursor: cursor === "" ? undefined : newest, isDescending, limit: Number(limit) };
  }
  const [place = ""] = cursor.split("-");
  if (!/^\d+$/.test(place) || place.length > CURSOR_DIGITS_MAX) {
    return { field: "cursor", reason: "cursor: is no paging token" };
  }
  return { cursor: BigInt(place), isDescending, limit: Number(limit) };
};

/** The requested page of a list, in the requested order. @param all ascending */
export const pageOf = <T>(
  all: readonly T[],
  placed: (item: T) => bigint,
  { cursor, isDescending, limit }: HorizonPageWish,
): readonly T[] => {
  if (!isDescending) {
    return all.filter((item) => cursor === undefined || placed(item) > cursor).slice(0, limit);
  }
  return all
    .filter((item) => cursor === undefined || placed(item) < cursor)
    .slice(-limit)
    .reverse();
};
