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
 * Moves a request on inside a transaction that holds its row: the new state, its events and their messages commit
 * together (INV-6). What was found dead stays on record. When it ends before it was signed, what it was to replace is the head of its line again.
 * @returns the request as it is now, or RequestStateInvalid / NonceConflict, which leave everything as it was
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

/** Takes a replacement that came to nothing off the request that it was to replace. */
const reinstate = async (connection: Connection, request: ChainRequest): Promise<void> => {
  if (request.kind !== "Transaction" || request.replacesId === undefined) return;
  const replaced = await lockChainRequest(connection, request.replacesId);
  if (replaced?.replacementId !== request.id) return;
  await changeChainRequest(connection, replaced, { kind: "Reinstated", from: request.id });
};
