import { isDeepStrictEqual } from "node:util";
import {
  type Network,
  ok,
  type Result,
  type SignatureBody,
  type SignatureId,
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
  readSignatureStanding,
  type SignatureStanding,
} from "@conclave/platform";
import { transactionOfKey } from "../admission/key-turn.ts";
import { requestIdOf } from "../admission/request-id.ts";
import type { Dependencies } from "../dependencies.ts";
import { shownKey } from "../key/visible-key.ts";
import { requestAccepted } from "../log-events.ts";
import { requesterOf } from "../people/requester.ts";
import { takenExternalId } from "../people/taken-external-id.ts";
import type { Viewer } from "../people/viewer.ts";
import { MAY_SIGN } from "../permission/needs.ts";
import { judgeStanding } from "../permission/standing.ts";
import type { ReadSignature } from "../reading/readable.ts";
import { hearSettlement, type Settlement, unlessAway } from "../settlement.ts";
import { acceptSignature } from "./accept.ts";
import { networksOfKey } from "./judge-unreadable.ts";
import { namedNetwork, type SignatureTarget, type SigningSubject, signingSubject } from "./subject.ts";

/**
 * Accepts a request for a signature, and waits for the signers. The same body with the same externalId gives the
 * earlier request (wire interface, section E.5).
 * @returns the request, usually Signed; still under way when the signers take longer than callers wait, and Pending
 * while its approval is; refusals of `signingSubject` and `judgeBody`, or ExternalIdConflict
 */
export const createSignature = async (
  dependencies: Dependencies,
  caller: Caller,
  target: SignatureTarget,
  body: SignatureBody,
): Promise<Result<SignatureRequest>> => {
  const { database } = dependencies;
  const asked = await readRequest(dependencies, caller, target, body);
  if (!asked.ok) return asked;
  const earlier = await earlierSignature(database, caller, target, body);
  if (!earlier.ok) return earlier;
  if (earlier.value !== undefined) return ok(await settled(dependencies, earlier.value));

  const { facts, read } = asked.value;
  const draft = draftOf(dependencies, caller, facts.subject, body);
  const settlement = hearSettlement(dependencies, draft.id);
  try {
    const accepted = await transactionOfKey(dependencies, draft.keyId, async (connection) => {
      await holdRights(connection, draft.orgId);
      const { orgId, requester } = draft;
      // the caller may have lost the right while the request was read
      const may = await judgeStanding(connection, { orgId, ...requester }, "who asks for it", [MAY_SIGN]);
      if (!may.ok) return may;
      // the key's wallets determine what it may sign, so the key gets none from here on
      await holdKey(connection, draft.keyId);
      const now = await factsOf(dependencies, connection, caller, target, facts.named);
      if (!now.ok) return now;
      if (!isDeepStrictEqual(now.value, facts)) return ok(undefined);
      return ok(await acceptSignature(dependencies, connection, draft, read));
    });
    if (!accepted.ok) return accepted;
    // another request with this externalId came first, and is the answer or conflicts; or the key's wallets have
    // changed
    if (accepted.value === undefined) return await createSignature(dependencies, caller, target, body);
    const { id: requestId, status } = accepted.value;
    requestAccepted(dependencies.logger, { requestId, status });
    if (accepted.value.authorisation === undefined) return ok(accepted.value);
    return ok((await settledRow(dependencies, settlement, draft.id)) ?? accepted.value);
  } finally {
    settlement.stop();
  }
};

/** The facts on which a reading depends: equal facts give equal readings. */
interface ReadingFacts {
  /** the network that the request names */
  readonly named: string | undefined;
  readonly subject: SigningSubject;
  /** networks of all wallets of the key */
  readonly networks: readonly Network[];
}

const factsOf = async (
  { families }: Pick<Dependencies, "families">,
  connection: Connection,
  caller: Caller,
  target: SignatureTarget,
  named: string | undefined,
): Promise<Result<ReadingFacts>> => {
  const subject = await signingSubject(families, connection, caller, target, named);
  if (!subject.ok) return subject;
  return ok({ named, subject: subject.value, networks: await networksOfKey(connection, subject.value) });
};

/**
 * Reads the requested content, and the facts of its key. @returns refusals of `namedNetwork`, `signingSubject` and
 * `judgeBody`
 */
const readRequest = async (
  dependencies: Pick<Dependencies, "families" | "reading" | "database">,
  caller: Caller,
  target: SignatureTarget,
  body: SignatureBody,
): Promise<Result<{ readonly facts: ReadingFacts; readonly read: ReadSignature }>> => {
  const { database, reading } = dependencies;
  const named = await namedNetwork(dependencies, database, caller, target, body);
  if (!named.ok) return named;
  const facts = await factsOf(dependencies, database, caller, target, named.value);
  if (!facts.ok) return facts;
  const { subject, networks } = facts.value;
  const { scheme, network, publicKey, internalKey } = subject;
  const read = await reading
    .onBehalfOf(subject.orgId)
    .signature({ scheme, network, publicKey, internalKey }, body, networks);
  return read.ok ? ok({ facts: facts.value, read: read.value }) : read;
};

/** The request that was made earlier with this externalId, if any; ExternalIdConflict when it was a different one. */
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

/** Whether no work on a request is left: it has ended, or waits for its approval. */
const isOver = (standing: SignatureStanding | undefined): boolean =>
  !standing?.isAuthorised || !["Pending", "Executing"].includes(standing.status);

/** Waits for the end of a request. @returns its row; undefined while the database does not answer, or where it is gone */
const settledRow = async (
  { database, settlementWaitMs }: Dependencies,
  settlement: Settlement,
  id: SignatureId,
): Promise<SignatureRequest | undefined> => {
  // polls the standing alone, as a row holds the whole request; the row is read once
  const standing = await settlement.until(
    settlementWaitMs,
    () => readSignatureStanding(database, id),
    isOver,
  );
  const row = standing === "away" ? standing : await unlessAway(readSignature(database, id));
  return row === "away" ? undefined : row;
};

/** Waits for an earlier request, which may still be under way. */
const settled = async (dependencies: Dependencies, earlier: SignatureRequest): Promise<SignatureRequest> => {
  const { bus, database, stopping, world } = dependencies;
  const { id, status, authorisation } = earlier;
  if (isOver({ status, isAuthorised: authorisation !== undefined })) return earlier;
  const settlement = hearSettlement({ bus, stopping, world }, id);
  try {
    // it may have ended before the subscription
    if (isOver(await readSignatureStanding(database, id)))
      return (await readSignature(database, id)) ?? earlier;
    return (await settledRow(dependencies, settlement, id)) ?? earlier;
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
  id: requestIdOf(world, signatureIdSchema, "sig", {
    orgId,
    signer: walletId ?? keyId,
    externalId: body.externalId,
    body,
  }),
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
