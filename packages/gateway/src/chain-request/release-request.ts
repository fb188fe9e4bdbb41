import {
  authorise,
  type ChainRequest,
  fail,
  isChainWallet,
  ok,
  type PolicyDecision,
  type Result,
} from "@conclave/custody";
import { type Connection, changeChainRequest, enqueue, holdKey, readWallet } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { permittedNow } from "../fee-bump/permitted-now.ts";
import type { ApprovedRequest } from "../policy/judge-again.ts";
import { activityOfAct } from "../policy/signing-activity.ts";
import { dueRequestOf } from "./due-request-of.ts";
import { actOfRequest, type Remaking } from "./request-act.ts";

/** An approved request that is still wanted, with its release. */
export interface Releasable extends ApprovedRequest {
  /** Releases it under a decision, in the transaction that found it releasable. */
  release(decision: PolicyDecision): Promise<Result<unknown>>;
}

/**
 * Judges a request again after its approval: its requester's right, its wallet and its act. Must run inside the
 * transaction of the approval, with the request's row locked and the organisation's rights held.
 * @returns the authority's authorisation and the due row in `release`; PermissionMissing; WalletNotFound when its
 * wallet was archived since, KeyDelegated when its key was delegated, RequestStateInvalid when it no longer waits, and
 * refusals of a caller's own bytes that signers would give
 */
export const releasableRequest = async (
  dependencies: Pick<Dependencies, "authority" | "now"> & Remaking,
  connection: Connection,
  request: ChainRequest,
): Promise<Result<Releasable>> => {
  const known = await readWallet(connection, request.walletId);
  if (known === undefined || !isChainWallet(known)) throw new Error(`${request.id} has no wallet`);
  // locks the key, so that it is not archived or delegated between this judgement and the release
  await holdKey(connection, known.keyId);
  if (request.status !== "Pending" || request.authorisation !== undefined) {
    return fail("RequestStateInvalid", { requestId: request.id, status: request.status });
  }
  const permitted = await permittedNow(connection, request);
  if (!permitted.ok) return permitted;
  const wallet = permitted.value;
  const act = await actOfRequest(dependencies, connection, wallet, request);
  if (!act.ok) return act;
  const effects = await dependencies.reading.withoutTurn.act(act.value);
  if (!effects.ok) return effects;
  return ok({
    activity: await activityOfAct(dependencies, connection, wallet, effects.value),
    network: request.network,
    firstRequestId: act.value.kind === "transaction" ? act.value.replaces?.at(-1) : undefined,
    release: async (decision) => {
      const authorised = await changeChainRequest(connection, request, {
        kind: "Authorised",
        authorisation: dependencies.authority(authorise(act.value, decision)),
        decision,
        date: dependencies.now().toISOString(),
      });
      if (authorised.ok) await enqueue(connection, dueRequestOf(dependencies.families, authorised.value));
      return authorised;
    },
  });
};
