import {
  type ApprovalSubject,
  type ChangeRequestId,
  changeRequestView,
  decideChangeRequest,
  type ShownRequest,
  signatureView,
  transactionView,
  transferView,
} from "@conclave/custody";
import type { Connection } from "../database.ts";
import { changeChainRequest } from "../requests/chain-request-change.ts";
import { lockChainRequest, readTransaction, readTransfer } from "../requests/chain-requests.ts";
import { changeSignature } from "../requests/signature-change.ts";
import { readSignature } from "../requests/signatures.ts";
import { lockChangeRequest, readChangeRequest, updateChangeRequest } from "./change-requests.ts";

/** Shows the current state of the request that an approval is about, as the API does: `{ transferRequest }`. */
export const showSubject = async (
  connection: Connection,
  { kind, id }: ApprovalSubject,
): Promise<ShownRequest> => {
  switch (kind) {
    case "transfer": {
      const found = await readTransfer(connection, id);
      return found === undefined ? {} : { transferRequest: transferView(found) };
    }
    case "transaction": {
      const found = await readTransaction(connection, id);
      return found === undefined ? {} : { transactionRequest: transactionView(found) };
    }
    case "signature": {
      const found = await readSignature(connection, id);
      return found === undefined ? {} : { signatureRequest: signatureView(found) };
    }
    case "change-request": {
      const found = await readChangeRequest(connection, id);
      return found === undefined ? {} : { changeRequest: changeRequestView(found) };
    }
  }
};

export interface Rejection {
  readonly reason: string;
  /** ISO 8601 UTC */
  readonly date: string;
}

/**
 * Rejects the request that an approval is about, and stores the event. If the request no longer waits, because its
 * owner aborted it, nothing changes.
 */
export const rejectSubject = async (
  connection: Connection,
  { kind, id }: ApprovalSubject,
  rejection: Rejection,
): Promise<void> => {
  switch (kind) {
    case "transfer":
      return rejectChainRequest(connection, id, rejection);
    case "transaction":
      return rejectChainRequest(connection, id, rejection);
    case "signature":
      await changeSignature(connection, id, { kind: "Rejected", ...rejection });
      return;
    case "change-request":
      return rejectChange(connection, id, rejection);
  }
};

const rejectChainRequest = async (
  connection: Connection,
  id: Parameters<typeof lockChainRequest>[1],
  rejection: Rejection,
): Promise<void> => {
  const request = await lockChainRequest(connection, id);
  if (request !== undefined)
    await changeChainRequest(connection, request, { kind: "Rejected", ...rejection });
};

const rejectChange = async (
  connection: Connection,
  id: ChangeRequestId,
  rejection: Rejection,
): Promise<void> => {
  const request = await lockChangeRequest(connection, id);
  if (request === undefined) return;
  const decided = decideChangeRequest(request, { kind: "Rejected", ...rejection });
  if (decided.ok) await updateChangeRequest(connection, decided.value);
};
