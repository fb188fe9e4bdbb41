import type { HorizonRecord } from "../ledger.ts";

/** Horizon's own limits. */
const DEFAULT_LIMIT = 10;
const MOST_RECORDS = 200;
const CURSOR_DIGITS_MAX = 20;
const LEDGER_BITS = 32n;
const ORDER_BITS = 12n;

/** Where a transaction stands in all of history, as a number that grows. @source stellar/go, toid */
export const placeOf = ({ ledger, order }: Pick<HorizonRecord, "ledger" | "order">): bigint =>
  (BigInt(ledger) << LEDGER_BITS) | (BigInt(order) << ORDER_BITS);

/** Where an operation stands; the first of a transaction is 1. */
export const placeOfOperation = (record: Pick<HorizonRecord, "ledger" | "order">, at: number): bigint =>
  placeOf(record) | BigInt(at);

/** The record at a place. */
export const operationPlaced = (place: bigint) => ({
  ledger: Number(place >> LEDGER_BITS),
  order: Number(BigInt.asUintN(Number(LEDGER_BITS), place) >> ORDER_BITS),
  /** from 1; 0 where the place is a transaction's */
  operation: Number(BigInt.asUintN(Number(ORDER_BITS), place)),
});

export const placeOfLedger = (sequence: number): bigint => BigInt(sequence) << LEDGER_BITS;

/** Which part of a list somebody wants. */
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
 * Reads the parameters of a list.
 * @param newest where "now" stands
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

/** The entries of a list, which is in rising order, that somebody wants, in the order in which they want them. */
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
