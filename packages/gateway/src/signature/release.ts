import {
  fail,
  judgeKeyUser,
  judgeSignature,
  type PolicyDecision,
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
  readSignature,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { authorisedSignatureOf } from "./authorise.ts";
import { judgeUnreadable, networksOfKey } from "./judge-unreadable.ts";
import { sisterWallet } from "./subject.ts";

/**
 * Has the authority sign a request that waited for its approval, and asks an orchestrator for it. Call it inside the
 * transaction of the approval.
 * @returns the request; SignatureStateInvalid when it waits no more, KeyNotFound when its key was archived since,
 *   KeyDelegated when the key became another's, or what no longer fits its key
 */
export const releaseSignature = async (
  { authority, now, families }: Pick<Dependencies, "authority" | "now" | "families">,
  connection: Connection,
  id: SignatureId,
  decision: PolicyDecision,
): Promise<Result<SignatureRequest>> => {
  const request = await readSignature(connection, id);
  const key = request === undefined ? undefined : await holdKey(connection, request.keyId);
  if (request === undefined || key === undefined) throw new Error(`${id} is not there to be released`);
  if (key.status !== "Active") return fail("KeyNotFound", { keyId: key.id });
  const user = judgeKeyUser(key, request.requester.userId);
  if (!user.ok) return user;
  // the key may have got a wallet since on another network that takes the same transactions
  const sister = await sisterWallet(connection, request.keyId, request.network);
  if (sister !== undefined) {
    return fail("KeyNetworkTaken", { keyId: key.id, network: request.network, duplicate: { id: sister.id } });
  }
  const judged = judgeSignature(
    families,
    {
      scheme: key.scheme,
      network: request.network,
      publicKey: key.publicKey,
      internalKey: key.internalKey,
    },
    request.requestBody,
  );
  if (!judged.ok) return judged;
  // the key may have got a wallet since on whose chain these bytes would count
  if ("message" in judged.value && key.scheme === "FROST-Ed25519") {
    const message = Buffer.from(judged.value.message, "hex");
    const consent = judgeUnreadable(families, await networksOfKey(connection, request), message);
    if (!consent.ok) return consent;
  }
  const released = await changeSignature(connection, id, {
    kind: "Authorised",
    authorisation: authority(authorisedSignatureOf(request, judged.value, decision)),
    policyDecision: decision,
    date: now().toISOString(),
  });
  if (released.ok) await enqueue(connection, dueSignature(id, request.orgId));
  return released;
};
