import type { ChainRequestId, WalletId } from "@conclave/custody";
import { z } from "zod";
import { bigNumber, optional } from "../columns.ts";
import { type ExpectedRow, rowVersionSchema } from "../commit/commit.ts";
import type { Connection } from "../database.ts";
import { HELD_PLACE, HIGHEST_PLACE } from "./sequences.ts";

/** The places that requests of a wallet hold among its account's transactions, as one of them finds them. */
export interface WalletLine {
  /** The wallet's row: a request that takes or changes a place, or opens one again, gives it another version, by a trigger. */
  readonly row: ExpectedRow;
  /** another request holds a place in which nothing is broadcast */
  readonly isHeld: boolean;
  /** the highest place that a request holds (`highestSequence`) */
  readonly highest: bigint | undefined;
}

const lineSchema = z.object({
  version: rowVersionSchema,
  isHeld: z.boolean(),
  highest: optional(bigNumber),
});

/**
 * Reads the line of a wallet before a place in it is chosen. A fact that is read of the wallet's requests after this, and committed with
 * `row` expected, is as certain as under a lock (INV-4).
 * @param connection outside of transactions: a version of one that is not committed may never be one
 * @param id the request that would take a place
 */
export const readWalletLine = async (
  connection: Pick<Connection, "rows">,
  walletId: WalletId,
  id: ChainRequestId,
): Promise<WalletLine> => {
  const [found] = await connection.rows(
    lineSchema,
    `select xmin::text as version, exists (${HELD_PLACE}) as "isHeld", (${HIGHEST_PLACE}) as highest from wallets where id = $1`,
    [walletId, id],
  );
  if (found === undefined) throw new Error(`${walletId} is gone`);
  return {
    row: { table: "wallets", id: walletId, version: found.version },
    isHeld: found.isHeld,
    highest: found.highest,
  };
};
