import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { demandStellar, type StellarRest, stellarAway } from "./rest.ts";

/** Most records of one page, and pages of one list: a ledger of the main network holds some thousand transactions at most. */
const PAGE = 200;
const PAGES_MAX = 50;

/** Where a record stands in its list. */
export const pagingToken = z.string().regex(/^[0-9]{1,20}$/);

/** A page of a list, as Horizon gives it. */
export const stellarPageSchema = <T extends z.ZodType>(record: T) =>
  z.object({ _embedded: z.object({ records: z.array(record) }) });

/** All records of a list that is whole already, the first ones first. @param path with a query, and without limit, order and cursor */
export const everyStellarRecord = async <T extends { readonly paging_token: string }>(
  rest: StellarRest,
  path: string,
  record: z.ZodType<T>,
): Promise<Result<readonly T[]>> => {
  const all: T[] = [];
  let cursor = "";
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const found = await demandStellar(
      rest,
      `${path}&limit=${PAGE}&order=asc${cursor}`,
      stellarPageSchema(record),
    );
    if (!found.ok) return found;
    const { records } = found.value._embedded;
    all.push(...records);
    const last = records.at(-1);
    if (last === undefined || records.length < PAGE) return ok(all);
    cursor = `&cursor=${last.paging_token}`;
  }
  return stellarAway(rest.network, `it has more records of ${path} than are read`);
};
