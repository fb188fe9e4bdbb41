import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { nodeAway } from "../../node-away.ts";
import { isTooLarge } from "../../too-large.ts";
import { demandStellar, type StellarRest } from "./rest.ts";

/** Most records of one page. */
const PAGE = 200;
/**
 * Most records of one list. A ledger of the main network holds a thousand operations and some hundred calls of contracts at most; its
 * validators may vote for more.
 */
const RECORDS_MAX = 10_000;

/** Where a record stands in its list. */
export const pagingToken = z.string().regex(/^[0-9]{1,20}$/);

/** A page of a list, as Horizon gives it. */
export const stellarPageSchema = <T extends z.ZodType>(record: T) =>
  z.object({ _embedded: z.object({ records: z.array(record) }) });

/** A page of a list, or of half as many records as often as it takes: one record may be as large as a transaction. */
const pageThatFits = async <T>(
  rest: StellarRest,
  path: string,
  cursor: string,
  record: z.ZodType<T>,
  limit: number,
): Promise<Result<{ readonly records: readonly T[]; readonly limit: number }>> => {
  const page = await demandStellar(
    rest,
    `${path}&limit=${limit}&order=asc${cursor}`,
    stellarPageSchema(record),
  );
  if (isTooLarge(page) && limit > 1) return pageThatFits(rest, path, cursor, record, Math.floor(limit / 2));
  return page.ok ? ok({ records: page.value._embedded.records, limit }) : page;
};

/** All records of a list that is whole already, the first ones first. @param path with a query, and without limit, order and cursor */
export const everyStellarRecord = async <T extends { readonly paging_token: string }>(
  rest: StellarRest,
  path: string,
  record: z.ZodType<T>,
): Promise<Result<readonly T[]>> => {
  const all: T[] = [];
  let cursor = "";
  let most = PAGE;
  while (all.length < RECORDS_MAX) {
    const found = await pageThatFits(rest, path, cursor, record, most);
    if (!found.ok) return found;
    const { records, limit } = found.value;
    all.push(...records);
    const last = records.at(-1);
    if (last === undefined || records.length < limit) return ok(all);
    cursor = `&cursor=${last.paging_token}`;
    most = limit;
  }
  return nodeAway(rest.network, `it has more records of ${path} than are read`, true);
};
