import {
  type ChainRequest,
  type ChainRequestEvent,
  type ChainRequestId,
  fail,
  isoNow,
  type Result,
  reasonWords,
  type World,
} from "@conclave/custody";
import { changeChainRequest, type Database, lockChainRequest } from "@conclave/platform";

/** Moves a request on in a transaction of its own, on the row as it is then. */
export const apply = (
  database: Database,
  id: ChainRequestId,
  event: ChainRequestEvent,
): Promise<Result<ChainRequest>> =>
  database.transaction(async (connection) => {
    const request = await lockChainRequest(connection, id);
    return request === undefined ? fail("NotFound") : changeChainRequest(connection, request, event);
  });

/** Tells why a request waits, once. */
export const noteReason = async (
  database: Database,
  request: ChainRequest,
  reason: string | undefined,
): Promise<void> => {
  const told = reason && reasonWords(reason);
  if (request.status !== "Executing" || request.reason === told) return;
  await apply(database, request.id, { kind: "Waiting", reason });
};

/**
 * Fails a request that has no signed bytes. Whether it has is looked at under its lock: a second delivery may have
 * had it signed and broadcast while this one asked the chain or the signers, and what it heard tells of that (INV-4).
 */
export const failUnsigned = (
  { database, world }: { readonly database: Database; readonly world: World },
  id: ChainRequestId,
  reason: string,
): Promise<void> =>
  database.transaction(async (connection) => {
    const request = await lockChainRequest(connection, id);
    if (request === undefined || request.signedTransaction !== undefined) return;
    await changeChainRequest(connection, request, { kind: "Failed", date: isoNow(world), reason });
  });
