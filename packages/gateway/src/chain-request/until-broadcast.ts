import type { ChainRequest, ChainRequestStatus, TransactionId } from "@conclave/custody";
import { readChainRequestStatus, readTransaction } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { hearSettlement, unlessAway } from "../settlement.ts";

/** The longest that a caller waits for a broadcast. With a presignature ready it takes a fraction of a second. */
const BROADCAST_WAIT_MS = 10_000;

const isUnderWay = (status: ChainRequestStatus | undefined): boolean =>
  status === "Pending" || status === "Executing";

/**
 * Accepts a transaction and waits until it is broadcast, or has come to nothing: clients of this interface expect its hash in
 * the answer. It goes on all the same when that takes longer than they wait.
 * @param accept commits the transaction; undefined when its externalId was used before
 * @returns the transaction as it is then; one that waits for an approval at once
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
    // a row holds the whole transaction, and is read once
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
