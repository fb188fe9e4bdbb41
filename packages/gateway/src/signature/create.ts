import { isDeepStrictEqual } from "node:util";
import {
  type JudgedSignature,
  ok,
  type Result,
  type SignatureBody,
  type SignatureRequest,
  signatureIdSchema,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  holdKey,
  holdRights,
  readSignature,
  readSignatureByExternalId,
} from "@conclave/platform";
import { transactionOfKey } from "../admission/key-turn.ts";
import type { Dependencies } from "../dependencies.ts";
import { shownKey } from "../key/visible-key.ts";
import { requesterOf } from "../people/requester.ts";
import { takenExternalId } from "../people/taken-external-id.ts";
import type { Viewer } from "../people/viewer.ts";
import { MAY_SIGN } from "../permission/needs.ts";
import { judgeStanding } from "../permission/standing.ts";
import { hearSettlement } from "../settlement.ts";
import { acceptSignature } from "./accept.ts";
import { judgeBody } from "./judge-body.ts";
import { networksOfKey } from "./judge-unreadable.ts";
import { type SignatureTarget, type SigningSubject, signingSubject } from "./subject.ts";

/**
 * Accepts a request for a signature, and waits for the signers. The same body with the same externalId answers the
 * request that it made before (wire interface, section E.5).
 * @returns the request, Signed as a rule; still under way when the signers take longer than callers wait, and Pending while
 *   an approval is; what `signingSubject` and `judgeBody` refuse, or ExternalIdConflict
 */
export const createSignature = async (
  dependencies: Dependencies,
  caller: Caller,
  target: SignatureTarget,
  body: SignatureBody,
): Promise<Result<SignatureRequest>> => {
  const { database } = dependencies;
  const judged = await judgeRequest(dependencies, database, caller, target, body);
  if (!judged.ok) return judged;
  const earlier = await earlierSignature(database, caller, target, body);
  if (!earlier.ok) return earlier;
  if (earlier.value !== undefined) return ok(await settled(dependencies, earlier.value));

  const draft = draftOf(dependencies, caller, judged.value.subject, body);
  const settlement = hearSettlement(dependencies, draft.id);
  try {
    const accepted = await transactionOfKey(dependencies, draft.keyId, async (connection) => {
      await holdRights(connection, draft.orgId);
      const { orgId, requester } = draft;
      // it may have lost the right while its request was read
      const may = await judgeStanding(connection, { orgId, ...requester }, "who asks for it", [MAY_SIGN]);
      if (!may.ok) return may;
      // what the key may sign depends on its wallets: from here on it gets none
      await holdKey(connection, draft.keyId);
      const again = await judgeRequest(dependencies, connection, caller, target, body);
      return again.ok ? ok(await acceptSignature(dependencies, connection, draft, again.value.body)) : again;
    });
    if (!accepted.ok) return accepted;
    // another request with this externalId came in between; that one is answered, or conflicts
    if (accepted.value === undefined) return await createSignature(dependencies, caller, target, body);
    if (accepted.value.authorisation === undefined) return ok(accepted.value);
    const read = () => readSignature(database, draft.id);
    const row = await settlement.until(dependencies.settlementWaitMs, read, isOver);
    return ok(row === undefined || row === "away" ? accepted.value : row);
  } finally {
    settlement.stop();
  }
};

/** What is asked for, of which key: what `signingSubject` and `judgeBody` find now. */
const judgeRequest = async (
  dependencies: Dependencies,
  connection: Connection,
  caller: Caller,
  target: SignatureTarget,
  asked: SignatureBody,
): Promise<Result<{ readonly subject: SigningSubject; readonly body: JudgedSignature }>> => {
  const subject = await signingSubject(dependencies, connection, caller, target, asked);
  if (!subject.ok) return subject;
  const networks = await networksOfKey(connection, subject.value);
  const body = judgeBody(dependencies, subject.value, asked, networks);
  return body.ok ? ok({ subject: subject.value, body: body.value }) : body;
};

/** The request that this externalId made before, if any; ExternalIdConflict when it was another one. */
const earlierSignature = async (
  connection: Connection,
  caller: Viewer,
  target: SignatureTarget,
  body: SignatureBody,
): Promise<Result<SignatureRequest | undefined>> => {
  const { externalId } = body;
  if (externalId === undefined) return ok(undefined);
  const earlier = await readSignatureByExternalId(connection, caller.orgId, externalId);
  if (earlier === undefined) return ok(undefined);
  const isOfTarget =
    "walletId" in target
      ? earlier.walletId === target.walletId
      : earlier.walletId === undefined && earlier.keyId === target.keyId;
  if (isOfTarget && isDeepStrictEqual(earlier.requestBody, body)) return ok(earlier);
  const { ok: isShown } = await shownKey(connection, caller, earlier.keyId);
  return takenExternalId(externalId, earlier, isShown);
};

/** Whether nobody works on a request: it has ended, or waits for its approval. */
const isOver = (request: SignatureRequest | undefined): boolean =>
  request?.authorisation === undefined || !["Pending", "Executing"].includes(request.status);

/** Waits for a request that was made before, and may still be under way. */
const settled = async (
  { bus, database, settlementWaitMs, stopping, world }: Dependencies,
  earlier: SignatureRequest,
): Promise<SignatureRequest> => {
  if (isOver(earlier)) return earlier;
  const settlement = hearSettlement({ bus, stopping, world }, earlier.id);
  try {
    const now = (await readSignature(database, earlier.id)) ?? earlier;
    if (isOver(now)) return now;
    const read = () => readSignature(database, earlier.id);
    const row = await settlement.until(settlementWaitMs, read, isOver);
    return row === undefined || row === "away" ? now : row;
  } finally {
    settlement.stop();
  }
};

const draftOf = (
  { now, world }: Dependencies,
  caller: Caller,
  { orgId, keyId, walletId, network }: SigningSubject,
  body: SignatureBody,
): SignatureRequest => ({
  id: world.freshId(signatureIdSchema, "sig"),
  orgId,
  keyId,
  walletId,
  network,
  requester: requesterOf(caller),
  requestBody: body,
  externalId: body.externalId,
  status: "Pending",
  reason: undefined,
  approvalId: undefined,
  policyDecision: undefined,
  authorisation: undefined,
  signature: undefined,
  signedData: undefined,
  dateRequested: now().toISOString(),
  datePolicyResolved: undefined,
  dateSigned: undefined,
});
