import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { BlockPieces } from "../../answers/block-pieces.ts";
import { type Hurdle, hurdleIn } from "../../answers/hurdle.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { demandStellar, type StellarRest } from "./rest.ts";

/** Most records of one page. */
const PAGE = 200;
/**
 * Divisors for the size of a page that did not arrive: a page that is too large may be only a little too large; each
 * attempt at one that is too slow costs the node's whole timeout.
 */
const SMALLER: Readonly<Record<Hurdle, number>> = { "too large": 2, "too slow": 8 };
/**
 * Most records of one list. A ledger of the main network has at most a thousand operations and some hundred contract
 * calls; its validators may vote for more.
 */
const RECORDS_MAX = 10_000;

/** The position of a record in its list. */
export const pagingToken = z.string().regex(/^[0-9]{1,20}$/);

/**
 * The link to the next page contains the requested number of records, or the node's maximum (stellar/go,
 * support/render/hal, Page).
 */
const nextSchema = z.object({ next: z.object({ href: z.string() }) });
const LIMIT = /[?&]limit=([0-9]{1,9})(?:&|$)/;

/** A page of a list, in Horizon's form. */
export const stellarPageSchema = <T extends z.ZodType>(record: T) =>
  z.object({ _embedded: z.object({ records: z.array(record) }), _links: z.unknown().optional() });

/** Consecutive records of a list. */
export interface StellarPage<T> {
  readonly records: readonly T[];
  /** how many were requested */
  readonly asked: number;
  /** the node's maximum; undefined if it does not give it */
  readonly given: number | undefined;
}

const limitIn = (links: unknown): number | undefined => {
  const found = nextSchema.safeParse(links);
  const limit = found.success ? LIMIT.exec(found.data.next.href)?.[1] : undefined;
  return limit === undefined ? undefined : Number(limit);
};

/** A page of a list, with fewer records after each failure, until it fits: one record may be as large as a transaction. */
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

/** Whether nothing follows a page: it has fewer records than a full page of this node. */
const isLast = ({ records, asked, given }: StellarPage<unknown>): boolean =>
  records.length === 0 || (given !== undefined && records.length < Math.min(asked, given));

/** Whether the records of a page are in order, after the previous page's last one; otherwise it is not the requested page. */
const isBehind = <T extends { readonly paging_token: string }>(
  { records }: StellarPage<T>,
  before: T | undefined,
): boolean =>
  records.every((record, at) => {
    const previous = records[at - 1] ?? before;
    return previous === undefined || BigInt(record.paging_token) > BigInt(previous.paging_token);
  });

/** A list of a ledger's contents. */
export interface StellarList<T> {
  readonly ledger: { readonly sequence: bigint; readonly hash: string };
  /** with a query, but without limit, order and cursor */
  readonly path: string;
  readonly record: z.ZodType<T>;
}

/**
 * All records of a list, in order. Each page must come from a node that knows the ledger.
 *
 * @param pages the pages of ledgers that were read before
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
