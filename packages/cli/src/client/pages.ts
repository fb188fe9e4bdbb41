import { z } from "zod";
import type { AskGateway } from "./gateway.ts";

/** Schema of one page of a list; `nextPageToken` is there if another page follows. */
const pageOf = <Item>(item: z.ZodType<Item>) =>
  z.looseObject({ items: z.array(item), nextPageToken: z.string().optional() });

/** Reads all pages of a list. @param path with its query, if it has one */
export const readAll = async <Item>(
  ask: AskGateway,
  item: z.ZodType<Item>,
  path: string,
): Promise<readonly Item[]> => {
  const all: Item[] = [];
  let next: string | undefined;
  do {
    const query = next === undefined ? "" : `${path.includes("?") ? "&" : "?"}paginationToken=${next}`;
    const page = await ask(pageOf(item), "GET", `${path}${query}`);
    all.push(...page.items);
    next = page.nextPageToken;
  } while (next !== undefined);
  return all;
};
