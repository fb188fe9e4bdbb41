import type { ApprovalFact } from "../facts/cluster-facts.ts";
import type { Check, Finding, Judged } from "./finding.ts";
import { type AcceptedRequest, acceptedOf } from "./requests.ts";

const problemsOf = (
  { id, request, row }: AcceptedRequest,
  approval: ApprovalFact | undefined,
  { history, facts }: Judged,
): readonly string[] => {
  const landed = facts.chain.landed.get(id);
  const isSigned =
    row !== undefined && (row.signed.length > 0 || (landed !== undefined && typeof landed !== "string"));
  if (!isSigned) return [];
  const word = row.authorisation;
  if (word === undefined) return ["it was signed, and no authorisation is on record"];
  const isGuarded = history.wallets.some(
    ({ id: wallet, isGuarded }) => wallet === request.walletId && isGuarded,
  );
  const isOnRecord =
    approval?.status === "Approved" &&
    approval.subjectId === id &&
    approval.votes.some(({ userId, value }) => userId === history.approverId && value === "Approved");
  const covers =
    word.requestId === id &&
    word.walletId === request.walletId &&
    word.to?.toLowerCase() === request.asked.to.toLowerCase() &&
    word.amount === String(request.asked.amount);
  const moved = typeof landed === "object" ? landed : undefined;
  // a transaction that the chain reverted has moved nothing
  const coversLanded =
    moved === undefined ||
    ((moved.amount === 0n || String(moved.amount) === word.amount) &&
      moved.recipient.toLowerCase() === word.to?.toLowerCase());
  return [
    ...(word.approvalId === row.approvalId ? [] : ["its authorisation names another approval than its row"]),
    ...(word.isByAuthority ? [] : ["its authorisation is not signed by the authority"]),
    ...(covers ? [] : ["its authorisation is of something else than what was asked"]),
    ...(coversLanded ? [] : ["its authorisation does not cover what is on the chain"]),
    ...(word.outcome === "Allowed" ? [] : [`it was signed with the decision ${word.outcome}`]),
    ...(isGuarded && !isOnRecord ? ["it was signed without the approval that its policy wants"] : []),
    ...(isGuarded && !word.approvers.includes(history.approverId)
      ? ["its authorisation names no approver"]
      : []),
  ];
};

/** Problems with the record of a denial: a rejected request must have one, by the approver. */
const denialProblems = (
  { id, row }: AcceptedRequest,
  approval: ApprovalFact | undefined,
  { history }: Judged,
): readonly string[] => {
  if (row?.status !== "Rejected") return [];
  const isDenied =
    approval?.status === "Denied" &&
    approval.subjectId === id &&
    approval.votes.some(({ userId, value }) => userId === history.approverId && value === "Denied");
  return isDenied ? [] : ["it was rejected without a denial on record"];
};

/** INV-8: all that was signed has an authorisation by the authority that covers it, and the approval that its policy requires. */
export const checkAuthorisations: Check = (judged) =>
  acceptedOf(judged).flatMap((accepted) => {
    const approval = judged.facts.database.approvals.find(({ id }) => id === accepted.row?.approvalId);
    const problems = [
      ...problemsOf(accepted, approval, judged),
      ...denialProblems(accepted, approval, judged),
    ];
    return problems.map((words): Finding => {
      return { invariant: "INV-8", words, requestId: accepted.id };
    });
  });

/** INV-9: no call of the load got a 500, or a 4xx other than 429: the load sends only valid requests. */
export const checkAnswers: Check = ({ history }) =>
  history.wrongAnswers.map(({ call, status, words }): Finding => {
    return { invariant: "INV-9", words: `${call} was answered ${status}: ${words}` };
  });

/** INV-10: no known secret appears in a log or in the database. */
export const checkSecrets: Check = ({ facts }) =>
  facts.leaks
    .filter(({ isKey }) => !isKey)
    .map(({ secret, places }): Finding => {
      return { invariant: "INV-10", words: `${secret} stands in ${places.join(", ")}` };
    });

const NOT_FOUND = 404;

/** INV-11: another organisation's administrator finds nothing by any id, and each row and event belongs to its organisation. */
export const checkOrganisations: Check = ({ facts, history }) => {
  const wallets = new Set(history.wallets.map(({ id }) => id));
  const found = (words: string): Finding => ({ invariant: "INV-11", words });
  return [
    ...(facts.strangers.length === 0 ? [found("nobody of another organisation has asked for anything")] : []),
    ...facts.strangers
      .filter(({ status }) => status !== NOT_FOUND)
      .map(({ path, status }) => found(`another organisation is answered ${status} by GET ${path}`)),
    ...facts.database.rows
      .filter(({ walletId, orgId }) => wallets.has(walletId) && orgId !== history.orgId)
      .map(({ id, orgId }) => found(`${id} is a request of organisation ${orgId}`)),
    ...[...facts.database.events, ...facts.published]
      .filter(({ orgId, resourceId }) => orgId !== history.orgId && resourceId.startsWith("xfr-"))
      .map(({ id, orgId }) => found(`event ${id} is of organisation ${orgId}`)),
  ];
};
