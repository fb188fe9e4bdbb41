import {
  type AuthorisedAct,
  allowWithoutPolicies,
  type ChainRequest,
  chainRequestRejected,
  chainRequestRequested,
  type PolicyDecision,
  type Transaction,
  type TransactionId,
  type Transfer,
} from "@conclave/custody";
import {
  appendToOutbox,
  type Connection,
  chainRequest,
  changeChainRequest,
  insertChainRequest,
  lockChainRequest,
  recordEvents,
} from "@conclave/platform";
import type { Authority } from "./authority.ts";
import { demand } from "./refused.ts";

/** What is the gateway's to decide about a new request. */
type Decided = "status" | "reason" | "approvalId" | "policyDecision" | "authorisation" | "datePolicyResolved";

/** A request as its use case makes it, before any policy has judged it. */
export type Draft = Omit<Transfer, Decided> | Omit<Transaction, Decided>;

/** What the policies make of a request. */
export type Judgement =
  | { readonly kind: "Allowed"; readonly decision: PolicyDecision }
  | { readonly kind: "Pending"; readonly approvalId: string }
  | { readonly kind: "Rejected"; readonly reason: string };

/** What the authority signs of a request once a policy decision stands. */
export type ActOf = (decision: PolicyDecision) => AuthorisedAct;

const judge = async (draft: Draft): Promise<Judgement> => ({
  kind: "Allowed",
  decision: allowWithoutPolicies(draft.dateRequested),
});

/**
 * Accepts a request inside a transaction: judged, authorised, and the row, its events and its message committed
 * together. From here on it comes to an end, whatever fails in between (INV-5, INV-6, INV-8).
 * @returns undefined, and nothing is changed, when its externalId was used before
 * @throws Refused, which undoes the transaction, when what it replaces is in no state for that
 */
export const accept = async (
  connection: Connection,
  authority: Authority,
  draft: Draft,
  actOf: ActOf,
): Promise<ChainRequest | undefined> => {
  const request = decided(draft, await judge(draft), authority, actOf);
  if (!(await insertChainRequest(connection, request))) return undefined;
  await recordEvents(connection, [chainRequestRequested(request)]);
  if (request.status === "Rejected") {
    await recordEvents(connection, [chainRequestRejected(request)]);
    return request;
  }
  if (request.kind === "Transaction" && request.replacesId !== undefined) {
    await takeThePlaceOf(connection, request.replacesId, request.id);
  }
  if (request.authorisation !== undefined) await appendToOutbox(connection, chainRequest(request));
  return request;
};

const decided = (draft: Draft, judgement: Judgement, authority: Authority, actOf: ActOf): ChainRequest => {
  const open = {
    reason: undefined,
    approvalId: undefined,
    policyDecision: undefined,
    authorisation: undefined,
  };
  const date = draft.dateRequested;
  switch (judgement.kind) {
    case "Allowed":
      return {
        ...draft,
        ...open,
        status: "Pending",
        policyDecision: judgement.decision,
        authorisation: authority(actOf(judgement.decision)),
        datePolicyResolved: date,
      };
    case "Pending":
      return {
        ...draft,
        ...open,
        status: "Pending",
        approvalId: judgement.approvalId,
        datePolicyResolved: undefined,
      };
    case "Rejected":
      return { ...draft, ...open, status: "Rejected", reason: judgement.reason, datePolicyResolved: date };
  }
};

/** Its state is looked at under its lock: of two that would replace it at the same time one is refused. */
const takeThePlaceOf = async (
  connection: Connection,
  replacesId: NonNullable<Transaction["replacesId"]>,
  by: TransactionId,
): Promise<void> => {
  const replaced = await lockChainRequest(connection, replacesId);
  if (replaced === undefined) throw new Error(`${by} replaces ${replacesId}, which is gone`);
  demand(await changeChainRequest(connection, replaced, { kind: "Replaced", by }));
};
