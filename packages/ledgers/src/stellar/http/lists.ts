import type { Context } from "hono";
import { jsonResponse } from "../../http/json-response.ts";
import type { ConnectionBindings } from "../../http/lost-reply.ts";
import type { LedgerJson } from "../../json.ts";
import { type HorizonPageWish, pageOf, placeOfLedger, readPageWish } from "../horizon/paging.ts";
import { latestLedger } from "../state.ts";
import { horizonProblem } from "./problem.ts";
import type { HorizonHost } from "./running.ts";

type Request = Context<ConnectionBindings>;

interface Listed<T> {
  readonly all: readonly T[];
  readonly placed: (item: T) => bigint;
  readonly json: (item: T) => LedgerJson;
}

const hrefOf = (context: Request, wish: HorizonPageWish, cursor: string, order: "asc" | "desc"): string => {
  const url = new URL(context.req.url);
  url.searchParams.set("cursor", cursor);
  url.searchParams.set("limit", String(wish.limit));
  url.searchParams.set("order", order);
  return url.href;
};

/** A page of a list in Horizon's form: records, and links to the next and previous page. */
export const listResponse = <T>(
  host: HorizonHost,
  context: Request,
  { all, placed, json }: Listed<T>,
): Response => {
  const newest = placeOfLedger(latestLedger(host.state).header.sequence + 1) - 1n;
  const wish = readPageWish((name) => context.req.query(name), newest);
  if ("reason" in wish) {
    return horizonProblem("bad_request", { invalid_field: wish.field, reason: wish.reason });
  }
  const page = pageOf(all, placed, wish);
  const [first, last] = [page[0], page.at(-1)].map((item) =>
    item === undefined ? (context.req.query("cursor") ?? "") : placed(item).toString(),
  );
  const [onward, back] = wish.isDescending ? (["desc", "asc"] as const) : (["asc", "desc"] as const);
  return jsonResponse({
    _links: {
      self: { href: new URL(context.req.url).href },
      next: { href: hrefOf(context, wish, last ?? "", onward) },
      prev: { href: hrefOf(context, wish, first ?? "", back) },
    },
    _embedded: { records: page.map(json) },
  });
};
