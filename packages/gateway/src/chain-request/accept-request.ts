import {
  type Act,
  authorise,
  type ChainRequest,
  type ChainWallet,
  chainRequestRejected,
  chainRequestRequested,
  type Effects,
  type Transaction,
  type TransactionId,
  type Transfer,
  transactionView,
  transferView,
} from "@conclave/custody";
import {
  type Connection,
  changeChainRequest,
  enqueue,
  holdKey,
  holdRights,
  insertChainRequest,
  lockChainRequest,
  recordEvents,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { permittedNow } from "../fee-bump/permitted-now.ts";
import { demand } from "../http/refused.ts";
import { type Judgement, judge, type RequestToJudge } from "../policy/judge.ts";
import { activityOfAct } from "../policy/signing-activity.ts";
import { dueRequestOf } from "./due-request-of.ts";

/** The fields of a new request that the gateway decides. */
type Decided = "status" | "reason" | "approvalId" | "policyDecision" | "authorisation" | "datePolicyResolved";

/** A new request before policies have judged it. */
export type Draft = Omit<Transfer, Decided> | Omit<Transaction, Decided>;

/** The dependencies of accepting a request. */
export type Acceptance = Pick<Dependencies, "authority" | "prices" | "families" | "chains" | "world">;

/**
 * Accepts a request inside a transaction: judges and authorises it, and commits the row, its events and its message
 * together. From here on it reaches an end, whatever fails in between (INV-5, INV-6, INV-8).
 * @param act authorised once a decision allows it
 * @param effects of the act, which policies judge
 * @returns undefined, with nothing changed, when its externalId was used before
 * @throws Refused, which rolls the transaction back, when the request that it replaces cannot be replaced now, or its
 * requester lost the right
 */
export const acceptRequest = async (
  acceptance: Acceptance,
  connection: Connection,
  wallet: ChainWallet,
  draft: Draft,
  act: Act,
  effects: Effects,
): Promise<ChainRequest | undefined> => {
  await holdRights(connection, draft.orgId);
  await holdKey(connection, wallet.keyId);
  // the right, the wallet or the key may have gone while the request was read or a node was asked
  if (!draft.isFeeBump) demand(await permittedNow(connection, draft));
  // locked before the wallet's spending: a replacement of the same request locks the two in this order
  if (draft.replacesId !== undefined) await lockChainRequest(connection, draft.replacesId);
  const { judgement, record } = await judge(
    acceptance,
    connection,
    await asked(acceptance, connection, wallet, draft, act, effects),
  );
  const request = decided(acceptance, draft, judgement, act);
  // a judgement of policies is recorded only with a row
  if (!(await insertChainRequest(connection, request))) return undefined;
  await record();
  await recordEvents(connection, [chainRequestRequested(request)]);
  if (request.status === "Rejected") {
    await recordEvents(connection, [chainRequestRejected(request)]);
    return request;
  }
  if (request.kind === "Transaction" && request.replacesId !== undefined) {
    await takeThePlaceOf(connection, request.replacesId, request.id);
  }
  if (request.authorisation !== undefined)
    await enqueue(connection, dueRequestOf(acceptance.families, request));
  return request;
};

/** The request in the form that policies judge, with its effects. */
const asked = async (
  acceptance: Acceptance,
  connection: Connection,
  wallet: ChainWallet,
  draft: Draft,
  act: Act,
  effects: Effects,
): Promise<RequestToJudge> => {
  const { orgId, network, requester, dateRequested: date } = draft;
  return {
    orgId,
    initiatorId: requester.userId,
    subject:
      draft.kind === "Transfer" ? { kind: "transfer", id: draft.id } : { kind: "transaction", id: draft.id },
    activity: await activityOfAct(acceptance, connection, wallet, effects),
    network,
    firstRequestId: act.kind === "transaction" ? act.replaces?.at(-1) : undefined,
    date,
    show: (judgement) => {
      const request = withJudgement(draft, judgement);
      return request.kind === "Transfer"
        ? { transferRequest: transferView(request) }
        : { transactionRequest: transactionView(request) };
    },
  };
};

/** Has the authority sign an allowed request now; a request that waits is signed when it is released. */
const decided = ({ authority }: Acceptance, draft: Draft, judgement: Judgement, act: Act): ChainRequest => {
  const request = withJudgement(draft, judgement);
  return judgement.kind === "Allowed"
    ? { ...request, authorisation: authority(authorise(act, judgement.decision)) }
    : request;
};

const withJudgement = (draft: Draft, judgement: Judgement): ChainRequest => {
  const undecided = {
    reason: undefined,
    approvalId: undefined,
    policyDecision: undefined,
    authorisation: undefined,
    datePolicyResolved: undefined,
  };
  const open = { ...draft, status: "Pending", ...undecided } as const;
  const date = draft.dateRequested;
  switch (judgement.kind) {
    case "Allowed":
      return { ...open, policyDecision: judgement.decision, datePolicyResolved: date };
    case "Pending":
      return { ...open, approvalId: judgement.approvalId };
    case "Rejected":
      return { ...open, status: "Rejected", reason: judgement.reason, datePolicyResolved: date };
  }
};

/**
 * Marks the request that is replaced. Its state is checked under its lock, so that of two concurrent replacements one
 * is refused.
 */
const takeThePlaceOf = async (
  connection: Connection,
  replacesId: NonNullable<Transaction["replacesId"]>,
  by: TransactionId,
): Promise<void> => {
  const replaced = await lockChainRequest(connection, replacesId);
  if (replaced === undefined) throw new Error(`${by} replaces ${replacesId}, which is gone`);
  demand(await changeChainRequest(connection, replaced, { kind: "Replaced", by }));
};
