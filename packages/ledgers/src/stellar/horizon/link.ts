import type { LedgerJson } from "../../json.ts";

/** @param origin where the node is served, such as "http://127.0.0.1:4001" */
export const linkTo = (origin: string, path: string): LedgerJson => ({ href: `${origin}${path}` });

/** A templated link to a list. */
export const linkToList = (origin: string, path: string): LedgerJson => ({
  href: `${origin}${path}{?cursor,limit,order}`,
  templated: true,
});
