import type { LedgerJson } from "../json.ts";

/**
 * The latest block, in the form that every ledger's admin view has as `tip`.
 * @param height of the block, or the ledger's own number of it @param time of the block, in seconds since 1970
 */
export const ledgerTip = (height: number | bigint, time: number | bigint): LedgerJson => ({ height, time });
