import { type ChainRequest, type ChainRequestEvent, ok, type Result } from "@conclave/custody";
import { writeRows } from "../commit/commit.ts";
import type { Connection } from "../database.ts";
import { chainRequestWrites } from "./chain-request-writes.ts";
import { readChainRequest } from "./chain-requests.ts";

/**
 * Applies an event to a request. The caller's transaction has locked its row, and that of the request that it would
 * replace, by `lockChainRequest`: the new state, its events and their messages commit together (INV-6).
 *
 * @returns the changed request; or RequestStateInvalid or SequenceConflict, and then nothing has changed
 */
export const changeChainRequest = async (
  connection: Connection,
  request: ChainRequest,
  event: ChainRequestEvent,
): Promise<Result<ChainRequest>> => {
  const decided = await chainRequestWrites(
    async (id) => {
      const other = await readChainRequest(connection, id);
      return other === undefined ? undefined : { request: other };
    },
    { request },
    [event],
  );
  if (!decided.ok) return decided;
  const { request: changed, changes, events } = decided.value;
  await writeRows(connection, { changes, events, due: [] });
  return ok(changed);
};
