import type { UserId } from "@conclave/custody";
import { type Connection, findOwner, type Listed, NOTHING_LISTED } from "@conclave/platform";
import { z } from "zod";
import { pageQuerySchema } from "../http/pagination.ts";
import type { Viewer } from "./viewer.ts";

const LONGEST_NAME = 256;
const name = z
  .string()
  .min(1)
  .max(LONGEST_NAME)
  .refine((text) => !text.includes("\0"), "holds characters that no name has")
  .optional();

/** The query of lists of keys and wallets: the names of the owner in both generations of clients. */
export const ownedPageQuerySchema = pageQuerySchema.extend({
  owner: name,
  ownerId: name,
  ownerUsername: name,
});

/**
 * Lists the resources of the owner that a query names, or all if it names none. An end user gets only its own.
 * @param list called with the owner's id, if one is named
 * @returns an empty list when the organisation has no such user
 */
export const listOwned = async <Row>(
  connection: Connection,
  caller: Viewer,
  query: z.output<typeof ownedPageQuerySchema>,
  list: (ownerId: UserId | undefined) => Promise<Listed<Row>>,
): Promise<Listed<Row>> => {
  const named = query.owner ?? query.ownerId ?? query.ownerUsername;
  const own = caller.isEndUser === true ? caller.userId : undefined;
  if (named === undefined) return list(own);
  const ownerId = await findOwner(connection, caller.orgId, named);
  return ownerId === undefined || (own !== undefined && ownerId !== own) ? NOTHING_LISTED : list(ownerId);
};
