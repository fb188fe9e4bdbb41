import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { BlockPieces } from "../../answers/block-pieces.ts";
import { type Hurdle, hurdleIn } from "../../answers/hurdle.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { demandStellar, type StellarRest } from "./rest.ts";

/** Most records of one page. */
const PAGE = 200;
/**
 * By what a page is made smaller that does not come: one that is too large may be little too large; for each that is too slow the node
 * has its whole time.
 */
const SMALLER: Readonly<Record<Hurdle, number>> = { "too large": 2, "too slow": 8 };
/**
 * Most records of one list. A ledger of the main network holds a thousand operations and some hundred calls of contracts at most; its
 * validators may vote for more.
 */
const RECORDS_MAX = 10_000;

/** Where a record stands in its list. */
export const pagingToken = z.string().regex(/^[0-9]{1,20}$/);

/** The link to the next page says how many records were asked for, or the most that the node gives (stellar/go, support/render/hal, Page). */
const nextSchema = z.object({ next: z.object({ href: z.string() }) });
const LIMIT = /[?&]limit=([0-9]{1,9})(?:&|$)/;

/** A page of a list, as Horizon gives it. */
export const stellarPageSchema = <T extends z.ZodType>(record: T) =>
  z.object({ _embedded: z.object({ records: z.array(record) }), _links: z.unknown().optional() });

/** Some records of a list, the next ones of those before. */
export interface StellarPage<T> {
  readonly records: readonly T[];
  /** how many were asked for */
  readonly asked: number;
  /** how many the node gives at most; undefined where it does not say */
  readonly given: number | undefined;
}

const limitIn = (links: unknown): number | undefined => {
  const found = nextSchema.safeParse(links);
  const limit = found.success ? LIMIT.exec(found.data.next.href)?.[1] : undefined;
  return limit === undefined ? undefined : Number(limit);
};

/** A page of a list, or of fewer records as often as it takes: one record may be as large as a transaction. */
const pageThatFits = async <T>(
  rest: StellarRest,
  list: StellarList<T>,
  cursor: string,
  asked: number,
): Promise<Result<StellarPage<T>>> => {
  const { path, ledger, record } = list;
  const page = await demandStellar(
    rest,
    `${path}&limit=${asked}&order=asc${cursor}`,
    stellarPageSchema(record),
    ledger.sequence,
  );
  const hurdle = hurdleIn(page);
  if (hurdle !== undefined && asked > 1) {
    const fewer = Math.max(1, Math.floor(asked / SMALLER[hurdle]));
    return pageThatFits(rest, list, cursor, fewer);
  }
  if (!page.ok) return page;
  const { _embedded, _links } = page.value;
  return ok({ records: _embedded.records, asked, given: limitIn(_links) });
};

/** Whether nothing follows a page: it holds fewer records than a page of this node does. */
const isLast = ({ records, asked, given }: StellarPage<unknown>): boolean =>
  records.length === 0 || (given !== undefined && records.length < Math.min(asked, given));

/** Whether each record of a page stands behind the one before: else the page is another one than was asked for. */
const isBehind = <T extends { readonly paging_token: string }>(
  { records }: StellarPage<T>,
  before: T | undefined,
): boolean =>
  records.every((record, at) => {
    const previous = records[at - 1] ?? before;
    return previous === undefined || BigInt(record.paging_token) > BigInt(previous.paging_token);
  });

/** A list of what a ledger holds. */
export interface StellarList<T> {
  readonly ledger: { readonly sequence: bigint; readonly hash: string };
  /** with a query, and without limit, order and cursor */
  readonly path: string;
  readonly record: z.ZodType<T>;
}

/**
 * All records of a list, the first ones first. Each page must come from a node that knows of the ledger.
 * @param pages that came before of lists of ledgers
 */
export const everyStellarRecord = async <T extends { readonly paging_token: string }>(
  rest: StellarRest,
  list: StellarList<T>,
  pages: BlockPieces<StellarPage<T>> = new BlockPieces(),
): Promise<Result<readonly T[]>> => {
  const { path } = list;
  const ledger = list.ledger.hash;
  const all: T[] = [];
  let cursor = "";
  let most = PAGE;
  while (all.length < RECORDS_MAX) {
    const [from, asked] = [cursor, most];
    const page = await pages.piece(ledger, from, () => pageThatFits(rest, list, from, asked));
    if (!page.ok) return page;
    if (!isBehind(page.value, all.at(-1))) {
      pages.forget(ledger);
      return nodeAway(rest.network, `its pages of ${path} do not follow one another`);
    }
    all.push(...page.value.records);
    const last = page.value.records.at(-1);
    if (last === undefined || isLast(page.value)) {
      pages.forget(ledger);
      return ok(all);
    }
    cursor = `&cursor=${last.paging_token}`;
    most = page.value.asked;
  }
  pages.forget(ledger);
  return nodeAway(rest.network, `it has more records of ${path} than are read`, "too large");
};
