import { type ChainRequestId, transactionIdSchema, transferIdSchema } from "@conclave/custody";
import {
  changeChainRequest,
  type Database,
  listUntold,
  lockChainRequest,
  markTold,
} from "@conclave/platform";
import { z } from "zod";

const BATCH = 64;
const MORE_MS = 100;
const NONE_MS = 1_000;
const REASON = "waiting for an earlier request of the wallet";

const idSchema = z.union([transferIdSchema, transactionIdSchema]);

/**
 * Tells of requests that wait behind others of their wallet, each once: nothing else is done for them until it is their turn.
 * @returns how long to pause, in milliseconds
 */
export const tellWaiting = async (database: Database): Promise<number> => {
  const waiting = await listUntold(database, BATCH);
  for (const id of waiting) await tell(database, idSchema.parse(id));
  if (waiting.length > 0) await markTold(database, waiting);
  return waiting.length === BATCH ? MORE_MS : NONE_MS;
};

/** One whose turn has come meanwhile tells for itself. */
const tell = (database: Database, id: ChainRequestId): Promise<void> =>
  database.transaction(async (connection) => {
    const request = await lockChainRequest(connection, id);
    if (request?.status !== "Pending") return;
    const begun = await changeChainRequest(connection, request, { kind: "Begun" });
    if (begun.ok) await changeChainRequest(connection, begun.value, { kind: "Waiting", reason: REASON });
  });
