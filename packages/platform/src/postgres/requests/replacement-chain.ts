import { type ChainRequest, REPLACED_MAX, type ReplacementChain } from "@conclave/custody";
import { UnreadableRow } from "../connection/unreadable-row.ts";
import type { Connection } from "../database.ts";
import { chainRequests, readChainRequest } from "./chain-requests.ts";

/** Reads a request and the requests that replaced it one after another, without locks. @param request as it was just read */
export const readReplacementChain = async (
  connection: Connection,
  request: ChainRequest,
): Promise<ReplacementChain> => {
  const replacements: ChainRequest[] = [];
  let holder = request;
  while (holder.replacementId !== undefined && replacements.length <= REPLACED_MAX) {
    const next = await readChainRequest(connection, holder.replacementId);
    if (next === undefined) break;
    replacements.push(next);
    holder = next;
  }
  return [request, ...replacements];
};

/**
 * The requests whose place a request took one after another, the newest first; each is read when the caller asks for
 * it.
 *
 * @throws UnreadableRow if there are more than an act may name, as in a circle, which no gateway writes
 */
export const replacedBefore = async function* (
  connection: Connection,
  { id, replacesId }: Pick<ChainRequest, "id" | "replacesId">,
): AsyncGenerator<ChainRequest, void> {
  let next = replacesId;
  for (let read = 0; next !== undefined; read += 1) {
    if (read === REPLACED_MAX)
      throw new UnreadableRow({ record: id, columns: [chainRequests.columns.replacesId] });
    const replaced = await readChainRequest(connection, next);
    if (replaced === undefined) return;
    yield replaced;
    next = replaced.replacesId;
  }
};
