import {
  type SignatureRequest,
  signatureRejected,
  signatureRequested,
  signatureView,
} from "@conclave/custody";
import { type Connection, dueSignature, enqueue, insertSignature, recordEvents } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { type Judgement, judge } from "../policy/judge.ts";
import { activityOfSignature } from "../policy/signing-activity.ts";
import type { ReadSignature } from "../reading/readable.ts";
import { authorisedSignatureOf } from "./authorise.ts";

/**
 * Accepts a request inside a transaction: judges and authorises it, and commits the row, its events and its due row
 * together. From here on it reaches an end, whatever fails in between (INV-5, INV-6, INV-8).
 *
 * @param draft Pending, and not authorised
 * @param read the read body
 * @returns undefined, with nothing changed, when its externalId was used before
 */
export const acceptSignature = async (
  dependencies: Dependencies,
  connection: Connection,
  draft: SignatureRequest,
  read: ReadSignature,
): Promise<SignatureRequest | undefined> => {
  const { id, orgId, requester, network, dateRequested: date } = draft;
  const { judgement, record } = await judge(dependencies, connection, {
    orgId,
    initiatorId: requester.userId,
    subject: { kind: "signature", id },
    activity: await activityOfSignature(dependencies, connection, draft.keyId, read),
    network,
    date,
    show: (made) => ({ signatureRequest: signatureView(withJudgement(draft, made)) }),
  });
  const decided = withJudgement(draft, judgement);
  const request =
    judgement.kind === "Allowed"
      ? {
          ...decided,
          authorisation: dependencies.authority(
            authorisedSignatureOf(draft, read.judged, judgement.decision),
          ),
        }
      : decided;
  // a judgement of policies is recorded only with a row
  if (!(await insertSignature(connection, request))) return undefined;
  await record();
  await recordEvents(connection, [signatureRequested(request)]);
  if (request.status === "Rejected") await recordEvents(connection, [signatureRejected(request)]);
  if (request.authorisation !== undefined) await enqueue(connection, dueSignature(id, request.orgId));
  return request;
};

const withJudgement = (draft: SignatureRequest, judgement: Judgement): SignatureRequest => {
  const date = draft.dateRequested;
  switch (judgement.kind) {
    case "Allowed":
      return { ...draft, policyDecision: judgement.decision, datePolicyResolved: date };
    case "Pending":
      return { ...draft, approvalId: judgement.approvalId };
    case "Rejected":
      return { ...draft, status: "Rejected", reason: judgement.reason, datePolicyResolved: date };
  }
};
