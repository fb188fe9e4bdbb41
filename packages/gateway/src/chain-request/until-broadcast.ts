import type { ChainRequest, ChainRequestStatus, TransactionId } from "@conclave/custody";
import { readChainRequestStatus, readTransaction } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { hearSettlement, unlessAway } from "../settlement.ts";

/** The longest that a caller waits for a broadcast, which takes a fraction of a second with a ready presignature. */
const BROADCAST_WAIT_MS = 10_000;

const isUnderWay = (status: ChainRequestStatus | undefined): boolean =>
  status === "Pending" || status === "Executing";

/**
 * Accepts a transaction and waits until it is broadcast or has failed: clients of this interface expect its hash in the
 * answer. If that takes longer than the wait, it continues without the caller.
 * @param accept commits the transaction; undefined when its externalId was used before
 * @returns the transaction after the wait; one that waits for an approval at once
 */
export const untilBroadcast = async (
  { bus, database, settlementWaitMs, stopping, world }: Dependencies,
  id: TransactionId,
  accept: () => Promise<ChainRequest | undefined>,
): Promise<ChainRequest | undefined> => {
  const settlement = hearSettlement({ bus, stopping, world }, id);
  try {
    const accepted = await accept();
    if (accepted?.authorisation === undefined) return accepted;
    const waitMs = Math.min(settlementWaitMs, BROADCAST_WAIT_MS);
    // polls the status alone, as a row holds the whole transaction; the row is read once
    const status = await settlement.until(
      waitMs,
      () => readChainRequestStatus(database, id),
      (now) => !isUnderWay(now),
    );
    const row = status === "away" ? status : await unlessAway(readTransaction(database, id));
    return row === undefined || row === "away" ? accepted : row;
  } finally {
    settlement.stop();
  }
};
