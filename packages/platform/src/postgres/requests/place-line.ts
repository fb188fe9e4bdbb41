import { type ChainRequest, type PlaceLine, REPLACED_MAX } from "@conclave/custody";
import type { Connection } from "../database.ts";
import { readChainRequest } from "./chain-requests.ts";

/** Reads a request and the requests that took its place one after another, without locks. @param request as it was just read */
export const readPlaceLine = async (connection: Connection, request: ChainRequest): Promise<PlaceLine> => {
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
