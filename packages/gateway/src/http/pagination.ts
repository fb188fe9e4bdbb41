import { fail, ok, type Result } from "@conclave/custody";
import type { Listed, Page } from "@conclave/platform";
import { z } from "zod";
import { demand } from "./refused.ts";

const DEFAULT_LIMIT = 50;
const MOST_LIMIT = 500;
const LONGEST_TOKEN = 256;
/** Rows that may be large are read so many at a time: 500 signatures of transactions are 200 MB. */
const LARGE_ROWS_AT_ONCE = 8;
/** A page of such rows ends with the one that makes it so long, in characters of JSON. */
const MOST_PAGE_LENGTH = 1_048_576;
/** The last millisecond of the year 9999: what ISO 8601 text and PostgreSQL agree on. */
export const LATEST_MS = 253_402_300_799_999;

/** The query of every list (wire interface, section E.4). */
export const pageQuerySchema = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, "is not a whole number")
    .transform(Number)
    .pipe(z.int().min(1).max(MOST_LIMIT))
    // a query carries text; its meaning is a number
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
 * @param read the rows of a page; it is asked for one more than the page has room for, which tells whether there is a next
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
  // where none of a whole page can be read there is nothing to go on from: the first that can be read is looked for
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

/** How a list is read whose rows may be large: they hold bodies that callers sent, or lists. */
export interface LargeRows<Row, View> {
  readonly read: (page: Page) => Promise<Listed<Row>>;
  /** the date by which the list is ordered */
  readonly dateOf: (row: Row) => string;
  /** rows as the API shows them, in the same order */
  readonly show: (rows: readonly Row[]) => readonly View[] | Promise<readonly View[]>;
}

/**
 * One page of such a list, as the API shows it. It has fewer rows than were asked for where these are large, so that no page takes the
 * memory or the time of the others: the token leads on.
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
