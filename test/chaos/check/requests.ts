import type { RowFact } from "../facts/cluster-facts.ts";
import type { LoadRequest } from "../load/history.ts";
import { type Check, type Finding, type Judged, repeatedIn } from "./finding.ts";

/** A request that was answered with 200, its id, and what the database has of it. */
export interface AcceptedRequest {
  readonly id: string;
  readonly request: LoadRequest;
  readonly row: RowFact | undefined;
}

/** All requests of the load that were accepted. */
export const acceptedOf = ({ facts, history }: Judged): readonly AcceptedRequest[] => {
  const rows = new Map(facts.database.rows.map((row) => [row.id, row]));
  return history.requests.flatMap((request) => {
    const { answer } = request;
    return answer?.kind === "accepted" ? [{ id: answer.id, request, row: rows.get(answer.id) }] : [];
  });
};

const isDeniedAsAsked = ({ request }: AcceptedRequest, { history }: Judged, reason: string): boolean =>
  request.asked.verdict === "denied" && reason === `denied by ${history.approverId}`;

const REVERTED = "the chain executed it and reverted it";

/**
 * Whether a payment was reverted by the chain's own rule, and rightly: on Stellar one that is built while its receiver does not exist
 * creates it, and fails when the payment of another wallet has created it first.
 */
const lostItsRace = ({ request, row }: AcceptedRequest, judged: Judged): boolean => {
  const { network, to } = request.asked;
  return (
    network === "Stellar" &&
    row?.reason === REVERTED &&
    acceptedOf(judged).some(
      (other) =>
        other.row?.status === "Confirmed" &&
        other.request.asked.to === to &&
        other.request.walletId !== request.walletId,
    )
  );
};

const judgeEnd = (accepted: AcceptedRequest, judged: Judged): readonly Finding[] => {
  const { id, request, row } = accepted;
  const found = (words: string): readonly Finding[] => [{ invariant: "INV-5", words, requestId: id }];
  if (row === undefined) return found("it was accepted, and the database has no row of it");
  const reason = row.reason ?? "no reason";
  switch (row.status) {
    case "Confirmed":
      return request.asked.verdict === "denied" ? found("it was denied, and is confirmed") : [];
    case "Failed":
      return judged.expected.failures.some((allowed) => allowed.test(reason)) || lostItsRace(accepted, judged)
        ? []
        : found(`it failed: ${reason}`);
    case "Rejected":
      return isDeniedAsAsked(accepted, judged, reason) ? [] : found(`it was rejected: ${reason}`);
    default:
      return found(`it has not ended: ${row.status}, ${reason}`);
  }
};

/** INV-5: each accepted request has ended, with nothing but what was asked or the plan allows, and as its caller was shown. */
export const checkEnds: Check = (judged) => [
  ...acceptedOf(judged).flatMap((accepted) => judgeEnd(accepted, judged)),
  ...acceptedOf(judged)
    .filter(({ request, row }) => row !== undefined && request.end?.status !== row.status)
    .map(({ id, request, row }): Finding => {
      const words = `its caller was last shown ${request.end?.status ?? "no end"}, and the database has ${row?.status}`;
      return { invariant: "INV-5", words, requestId: id };
    }),
];

/** INV-5: nothing is left to be done, and no request of the load is without an answer. */
export const checkLeftovers: Check = ({ facts, history }) => [
  ...facts.database.due.map(({ id, isParked, reason }): Finding => {
    const words = `the queue still has it${isParked ? ", parked" : ""}: ${reason ?? "no reason"}`;
    return { invariant: "INV-5", words, requestId: id };
  }),
  ...history.requests
    .filter(({ answer }) => answer === undefined)
    .map(({ asked }): Finding => ({ invariant: "INV-5", words: `request ${asked.number} has no answer` })),
];

/** INV-4: one row for each externalId, whatever was repeated; and no row of our wallets that nobody asked for. */
export const checkRows: Check = ({ facts, history }) => {
  const wallets = new Set(history.wallets.map(({ id }) => id));
  const rows = facts.database.rows.filter(({ walletId }) => wallets.has(walletId));
  const asked = new Set(history.requests.map(({ externalId }) => externalId));
  const twice = repeatedIn(rows.map(({ externalId }) => externalId ?? ""));
  const ids = history.requests.flatMap(({ answer }) => (answer?.kind === "accepted" ? [answer.id] : []));
  return [
    ...twice.map((externalId): Finding => {
      return { invariant: "INV-4", words: `${externalId} has more than one row` };
    }),
    ...repeatedIn(ids).map((requestId): Finding => {
      return { invariant: "INV-4", words: "two requests of the load have this id", requestId };
    }),
    ...rows
      .filter(({ externalId }) => externalId === undefined || !asked.has(externalId))
      .map(({ id }): Finding => ({ invariant: "INV-4", words: "nobody asked for it", requestId: id })),
  ];
};
