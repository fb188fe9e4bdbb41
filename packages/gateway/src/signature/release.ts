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
 * Looks again at a request that waited for its approval: at the right of who asked for it, its key and what it signs. Call it inside the
 * transaction of the approval, with the organisation's rights held.
 * @returns how the authority signs it and an orchestrator is asked for it; PermissionMissing; SignatureStateInvalid when it waits no
 *   more, KeyNotFound when its key was archived since, KeyDelegated when the key became another's, or what no longer fits its key
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

/** Whether who asked for a signature still may: PermissionMissing, KeyNotFound for an end user whose key it is not, KeyDelegated. */
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

/** Reads the content to sign, if the key still may: that depends on the wallets that it has now. */
const readContent = async (
  { families, reading }: Pick<Dependencies, "families" | "reading">,
  connection: Connection,
  request: SignatureRequest,
  key: ActiveKey,
): Promise<Result<ReadSignature>> => {
  // the key may have got a wallet since on another network that takes the same transactions
  const sister = await sisterWallet(families, connection, request.keyId, request.network);
  if (sister !== undefined) {
    return fail("KeyNetworkTaken", { keyId: key.id, network: request.network, duplicate: { id: sister.id } });
  }
  const { scheme, publicKey, internalKey } = key;
  const subject = { scheme, network: request.network, publicKey, internalKey };
  // or one since on whose chain these bytes would count
  const networks = await networksOfKey(connection, request);
  return reading.withoutTurn.signature(subject, request.requestBody, networks);
};
