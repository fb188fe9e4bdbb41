import { fail, ok, type Result } from "@conclave/custody";
import type { Listed, Page } from "@conclave/platform";
import { z } from "zod";
import { demand } from "./refused.ts";

const DEFAULT_LIMIT = 50;
const MOST_LIMIT = 500;
const LONGEST_TOKEN = 256;
/** Number of possibly large rows that are read at a time: 500 signatures of transactions are 200 MB. */
const LARGE_ROWS_AT_ONCE = 8;
/** A page of such rows ends with the row that makes it longer than this, in characters of JSON. */
const MOST_PAGE_LENGTH = 1_048_576;
/** The last millisecond of the year 9999: the latest date in both ISO 8601 text and PostgreSQL. */
export const LATEST_MS = 253_402_300_799_999;

const WHOLE_NUMBER = /^\d{1,9}$/;
const LIMIT_RANGE = `is not a whole number from 1 to ${MOST_LIMIT}`;

/** The query of every list (wire interface, section E.4). */
export const pageQuerySchema = z.object({
  limit: z
    .string()
    .regex(WHOLE_NUMBER, LIMIT_RANGE)
    .transform(Number)
    .pipe(z.int().min(1, LIMIT_RANGE).max(MOST_LIMIT, LIMIT_RANGE))
    // a query value is text, but this one means a number
    .meta({ type: "integer", minimum: 1, maximum: MOST_LIMIT })
    .optional(),
  paginationToken: z.string().max(LONGEST_TOKEN).optional(),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

const cursorSchema = z.strictObject({
  ms: z.int().min(0).max(LATEST_MS),
  id: z.string().regex(/^[a-z]{2,4}-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}(:in)?$/),
});

/** The page that a query asks for; PaginationTokenInvalid for a token that this service did not make. */
const pageOf = (query: PageQuery): Result<Page> => {
  const limit = query.limit ?? DEFAULT_LIMIT;
  if (query.paginationToken === undefined) return ok({ limit });
  const cursor = cursorSchema.safeParse(decode(query.paginationToken));
  if (!cursor.success) return fail("PaginationTokenInvalid");
  return ok({ limit, after: { date: new Date(cursor.data.ms).toISOString(), id: cursor.data.id } });
};

const decode = (token: string): unknown => {
  try {
    return JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
};

/**
 * One page of a list, and the token of the next one if there is one.
 *
 * @param read reads the rows of a page; it is asked for one row more than the page holds, to find out whether there is
 * a next page
 * @param dateOf the date by which the list is ordered
 * @throws Refused PaginationTokenInvalid
 */
export const readPage = async <Row extends { readonly id: string }>(
  query: PageQuery,
  read: (page: Page) => Promise<Listed<Row>>,
  dateOf: (row: Row) => string,
): Promise<{ readonly items: readonly Row[]; readonly next: { readonly nextPageToken?: string } }> => {
  const page = demand(pageOf(query));
  let limit = page.limit + 1;
  let rows = await read({ ...page, limit });
  // if no row of a page is readable, there is nothing to continue from, so this looks for the first readable row
  while (rows.length === 0 && rows.leftOut === limit) {
    limit *= 2;
    rows = await read({ ...page, limit });
  }
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  if (rows.length + rows.leftOut <= page.limit || last === undefined) return { items, next: {} };
  return { items, next: tokenAfter(last, dateOf) };
};

const tokenAfter = <Row extends { readonly id: string }>(row: Row, dateOf: (row: Row) => string) => {
  const cursor = { ms: Date.parse(dateOf(row)), id: row.id };
  return { nextPageToken: Buffer.from(JSON.stringify(cursor), "utf8").toString("base64url") };
};

/** The way to read a list whose rows may be large, as they have bodies that callers sent, or lists. */
export interface LargeRows<Row, View> {
  readonly read: (page: Page) => Promise<Listed<Row>>;
  /** the date by which the list is ordered */
  readonly dateOf: (row: Row) => string;
  /** converts rows to the API's form, in the same order */
  readonly show: (rows: readonly Row[]) => readonly View[] | Promise<readonly View[]>;
}

/**
 * One page of a list with large rows, in the API's form. It may have fewer rows than requested, so that no page takes
 * too much memory or time; the token continues the list.
 * @throws Refused PaginationTokenInvalid
 */
export const readPageOfLarge = async <Row extends { readonly id: string }, View>(
  { limit = DEFAULT_LIMIT, paginationToken: first }: PageQuery,
  { read, dateOf, show }: LargeRows<Row, View>,
): Promise<{ readonly items: readonly View[]; readonly next: { readonly nextPageToken?: string } }> => {
  const items: View[] = [];
  let [length, paginationToken] = [0, first];
  for (;;) {
    const some = Math.min(limit - items.length, LARGE_ROWS_AT_ONCE);
    const part = await readPage({ limit: some, paginationToken }, read, dateOf);
    const views = await show(part.items);
    for (const [at, view] of views.entries()) {
      items.push(view);
      length += JSON.stringify(view).length;
      const row = part.items[at];
      if (length >= MOST_PAGE_LENGTH && row !== undefined && row !== part.items.at(-1))
        return { items, next: tokenAfter(row, dateOf) };
    }
    paginationToken = part.next.nextPageToken;
    if (items.length >= limit || length >= MOST_PAGE_LENGTH || paginationToken === undefined)
      return { items, next: part.next };
  }
};
