import {
  type ChainRequest,
  type ChainRequestEvent,
  decideChainRequest,
  type Result,
  type TransactionId,
} from "@conclave/custody";
import type { Connection } from "../database.ts";
import { recordEvents } from "../events.ts";
import { readChainRequest, updateChainRequest } from "./chain-requests.ts";
import { keepDeadTransaction } from "./dead-transactions.ts";

/**
 * Applies an event to a request, in a transaction that has locked its row by `lockChainRequest`: the new state, its events and their messages
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
  const beside = besideItsRow(changed, event);
  if (beside?.kind === "dead-transaction") await keepDeadTransaction(connection, request);
  await updateChainRequest(connection, changed);
  await recordEvents(connection, decision.value.events);
  if (beside?.kind === "reinstatement") await reinstate(connection, beside);
  return { ok: true, value: changed };
};

/** A change that an event of a request makes beside its row. */
export type BesideItsRow =
  | { readonly kind: "dead-transaction" }
  /** the request that a replacement was to replace loses its mark */
  | {
      readonly kind: "reinstatement";
      readonly replacesId: NonNullable<ChainRequest["replacesId"]>;
      readonly from: TransactionId;
    };

/**
 * Derives the change that is written beside the request's own row and its events.
 * @param changed the request after the event
 */
export const besideItsRow = (changed: ChainRequest, event: ChainRequestEvent): BesideItsRow | undefined => {
  if (event.kind === "Died") return { kind: "dead-transaction" };
  if (!isOver(changed) || changed.kind !== "Transaction" || changed.replacesId === undefined)
    return undefined;
  return { kind: "reinstatement", replacesId: changed.replacesId, from: changed.id };
};

const isOver = ({ status, signedTransaction }: ChainRequest): boolean =>
  (status === "Failed" || status === "Rejected") && signedTransaction === undefined;

/** Removes the mark of a failed replacement from the request that it was to replace. */
const reinstate = async (
  connection: Connection,
  { replacesId, from }: Extract<BesideItsRow, { readonly kind: "reinstatement" }>,
): Promise<void> => {
  // its row was locked with that of the replacement
  const replaced = await readChainRequest(connection, replacesId);
  if (replaced?.replacementId !== from) return;
  await changeChainRequest(connection, replaced, { kind: "Reinstated", from });
};
