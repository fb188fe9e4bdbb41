import {
  type ApprovalSubject,
  changeRequestIdSchema,
  type PolicyDecision,
  type Result,
  signatureIdSchema,
  transactionIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import { type Connection, lockChainRequest, postponeSpending, rejectSubject } from "@conclave/platform";
import { releaseRequest } from "../chain-request/release-request.ts";
import { applyChange } from "../change-request/apply-change.ts";
import type { Dependencies } from "../dependencies.ts";
import { releaseSignature } from "../signature/release.ts";

/** What releasing takes. */
type Releasing = Pick<Dependencies, "authority" | "now" | "families" | "chains">;

/**
 * Lets go what people approved, under the decision that names them (INV-8): the authority signs it and it is on its way, or
 * the change is made. What does not wait any longer, because its owner aborted it, stays as it is. What is no longer
 * served, because the service has changed since, is rejected: an approval ends in something (INV-5).
 */
export const releaseSubject = async (
  dependencies: Releasing,
  connection: Connection,
  subject: ApprovalSubject,
  decision: PolicyDecision,
): Promise<void> => {
  if (subject.kind === "change-request") {
    return applyChange(connection, changeRequestIdSchema.parse(subject.id), decision.date);
  }
  const released = await release(dependencies, connection, subject.kind, subject.id, decision);
  if (released === undefined) return;
  if (released.ok) return postponeSpending(connection, subject.id, decision.date);
  await rejectSubject(connection, subject, { reason: released.problem.message, date: decision.date });
};

const release = async (
  dependencies: Releasing,
  connection: Connection,
  kind: Exclude<ApprovalSubject["kind"], "change-request">,
  id: string,
  decision: PolicyDecision,
): Promise<Result<unknown> | undefined> => {
  if (kind === "signature") {
    return releaseSignature(dependencies, connection, signatureIdSchema.parse(id), decision);
  }
  const schema = kind === "transfer" ? transferIdSchema : transactionIdSchema;
  const request = await lockChainRequest(connection, schema.parse(id));
  return request && releaseRequest(dependencies, connection, request, decision);
};
