import type { ChainRequestId, WalletId } from "@conclave/custody";
import { z } from "zod";
import { bigNumber, optional } from "../columns.ts";
import { type ExpectedRow, rowVersionSchema } from "../commit/commit.ts";
import type { Connection } from "../database.ts";
import { HELD_PLACE, HIGHEST_PLACE } from "./sequences.ts";

/** The places of a wallet's requests in its account's sequence, as seen by a request that wants one. */
export interface WalletLine {
  /** The wallet's row. A trigger changes its version whenever a request takes or changes a place, or becomes open again. */
  readonly row: ExpectedRow;
  /** whether another request holds a place for which nothing is broadcast */
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
 * Reads the line of a wallet before a place in it is chosen. Facts about the wallet's requests that are read after
 * this, and committed with `row` expected, are as certain as under a lock (INV-4).
 *
 * @param connection outside transactions: an uncommitted version may be rolled back
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
