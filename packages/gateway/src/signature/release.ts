import {
  type ActiveKey,
  fail,
  judgeKeyUser,
  ok,
  type Result,
  type SignatureId,
  type SignatureRequest,
} from "@conclave/custody";
import {
  type Connection,
  changeSignature,
  dueSignature,
  enqueue,
  holdKey,
  lockSignature,
} from "@conclave/platform";
import type { Releasable } from "../chain-request/release-request.ts";
import type { Dependencies } from "../dependencies.ts";
import { isShownTo } from "../people/viewer.ts";
import { MAY_SIGN } from "../permission/needs.ts";
import { judgeStanding } from "../permission/standing.ts";
import { activityOfSignature } from "../policy/signing-activity.ts";
import type { ReadSignature } from "../reading/readable.ts";
import { authorisedSignatureOf } from "./authorise.ts";
import { networksOfKey } from "./judge-unreadable.ts";
import { sisterWallet } from "./subject.ts";

/**
 * Judges a request again after its approval: its requester's right, its key and its content. Must run inside the
 * transaction of the approval, with the organisation's rights held.
 * @returns the authority's authorisation and the due row in `release`; PermissionMissing; SignatureStateInvalid when it
 * no longer waits, KeyNotFound when its key was archived since, KeyDelegated when the key was delegated, or the refusal
 * of content that no longer fits its key
 */
export const releasableSignature = async (
  dependencies: Pick<Dependencies, "authority" | "now" | "families" | "reading">,
  connection: Connection,
  id: SignatureId,
): Promise<Result<Releasable>> => {
  const { authority, now } = dependencies;
  const request = await lockSignature(connection, id);
  const key = request === undefined ? undefined : await holdKey(connection, request.keyId);
  if (request === undefined || key === undefined) throw new Error(`${id} is not there to be released`);
  if (request.status !== "Pending" || request.authorisation !== undefined) {
    return fail("SignatureStateInvalid", { signatureId: id, status: request.status });
  }
  if (key.status !== "Active") return fail("KeyNotFound", { keyId: key.id });
  const permitted = await judgeSigner(connection, request, key);
  if (!permitted.ok) return permitted;
  const read = await readContent(dependencies, connection, request, key);
  if (!read.ok) return read;
  return ok({
    activity: await activityOfSignature(dependencies, connection, request.keyId, read.value),
    network: request.network,
    release: async (decision) => {
      const released = await changeSignature(connection, id, {
        kind: "Authorised",
        authorisation: authority(authorisedSignatureOf(request, read.value.judged, decision)),
        policyDecision: decision,
        date: now().toISOString(),
      });
      if (released.ok) await enqueue(connection, dueSignature(id, request.orgId));
      return released;
    },
  });
};

/**
 * Whether the requester of a signature still has the right: PermissionMissing, KeyNotFound for an end user who does not
 * own the key, KeyDelegated.
 */
const judgeSigner = async (
  connection: Connection,
  { orgId, requester }: SignatureRequest,
  key: ActiveKey,
): Promise<Result<unknown>> => {
  const standing = await judgeStanding(connection, { orgId, ...requester }, "who asked for it", [MAY_SIGN]);
  if (!standing.ok) return standing;
  const viewer = { orgId, userId: requester.userId, isEndUser: standing.value.kind === "EndUser" };
  if (!isShownTo(viewer, key)) return fail("KeyNotFound", { keyId: key.id });
  return judgeKeyUser(key, requester.userId);
};

/** Reads the content to sign, if the key may still sign it, which depends on the key's current wallets. */
const readContent = async (
  { families, reading }: Pick<Dependencies, "families" | "reading">,
  connection: Connection,
  request: SignatureRequest,
  key: ActiveKey,
): Promise<Result<ReadSignature>> => {
  // the key may since have a wallet on another network that accepts the same transactions
  const sister = await sisterWallet(families, connection, request.keyId, request.network);
  if (sister !== undefined) {
    return fail("KeyNetworkTaken", { keyId: key.id, network: request.network, duplicate: { id: sister.id } });
  }
  const { scheme, publicKey, internalKey } = key;
  const subject = { scheme, network: request.network, publicKey, internalKey };
  // or one on a network whose chain accepts these bytes
  const networks = await networksOfKey(connection, request);
  return reading.withoutTurn.signature(subject, request.requestBody, networks);
};
