import {
  type ApprovalSubject,
  changeRequestIdSchema,
  type PolicyDecision,
  signatureIdSchema,
  transactionIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import { type Connection, lockChainRequest } from "@conclave/platform";
import { applyChange } from "../change-request/apply-change.ts";
import type { Dependencies } from "../dependencies.ts";
import { releaseRequest } from "../release-request.ts";
import { releaseSignature } from "../signature/release.ts";

/**
 * Lets go what people approved, under the decision that names them (INV-8): the authority signs it and it is on its way, or
 * the change is made. What does not wait any longer, because its owner aborted it, stays as it is.
 */
export const releaseSubject = async (
  dependencies: Dependencies,
  connection: Connection,
  { kind, id }: ApprovalSubject,
  decision: PolicyDecision,
): Promise<void> => {
  switch (kind) {
    case "transfer":
      return releaseChainRequest(dependencies, connection, transferIdSchema.parse(id), decision);
    case "transaction":
      return releaseChainRequest(dependencies, connection, transactionIdSchema.parse(id), decision);
    case "signature":
      await releaseSignature(dependencies, connection, signatureIdSchema.parse(id), decision);
      return;
    case "change-request":
      return applyChange(connection, changeRequestIdSchema.parse(id), decision.date);
  }
};

const releaseChainRequest = async (
  dependencies: Dependencies,
  connection: Connection,
  id: Parameters<typeof lockChainRequest>[1],
  decision: PolicyDecision,
): Promise<void> => {
  const request = await lockChainRequest(connection, id);
  if (request !== undefined) await releaseRequest(dependencies, connection, request, decision);
};
