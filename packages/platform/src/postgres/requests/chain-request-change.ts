import {
  type ChainRequest,
  type ChainRequestEvent,
  decideChainRequest,
  type Result,
} from "@conclave/custody";
import type { Connection } from "../database.ts";
import { recordEvents } from "../events.ts";
import { lockChainRequest, updateChainRequest } from "./chain-requests.ts";
import { keepDeadTransaction } from "./dead-transactions.ts";

/**
 * Applies an event to a request, in a transaction that has locked its row: the new state, its events and their messages
 * commit together (INV-6). A transaction that was found dead stays on record. If a replacement ends before it was signed,
 * the request that it was to replace is the current one again.
 * @returns the changed request; or RequestStateInvalid or SequenceConflict, and then nothing has changed
 */
export const changeChainRequest = async <R extends ChainRequest>(
  connection: Connection,
  request: R,
  event: ChainRequestEvent,
): Promise<Result<R>> => {
  const decision = decideChainRequest(request, event);
  if (!decision.ok) return decision;
  const changed = decision.value.request;
  if (event.kind === "Died") await keepDeadTransaction(connection, request);
  await updateChainRequest(connection, changed);
  await recordEvents(connection, decision.value.events);
  if (isOver(changed)) await reinstate(connection, changed);
  return { ok: true, value: changed };
};

const isOver = ({ status, signedTransaction }: ChainRequest): boolean =>
  (status === "Failed" || status === "Rejected") && signedTransaction === undefined;

/** Removes the mark of a failed replacement from the request that it was to replace. */
const reinstate = async (connection: Connection, request: ChainRequest): Promise<void> => {
  if (request.kind !== "Transaction" || request.replacesId === undefined) return;
  const replaced = await lockChainRequest(connection, request.replacesId);
  if (replaced?.replacementId !== request.id) return;
  await changeChainRequest(connection, replaced, { kind: "Reinstated", from: request.id });
};
