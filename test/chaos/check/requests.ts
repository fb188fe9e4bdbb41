import type { RowFact } from "../facts/cluster-facts.ts";
import type { LoadRequest } from "../load/history.ts";
import { ANSWER_MS } from "../load/persistent-call.ts";
import { type Check, type Finding, type Judged, repeatedIn } from "./finding.ts";

/** An accepted request (answered with 200), with its id and its row in the database. */
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
 * Whether the chain's own rules rightly reverted a payment. On Stellar, a payment built while its receiver does not exist
 * creates it, and fails if another wallet's payment creates it first. It must be on the chain without having moved anything: an
 * absent transaction was lost, not reverted.
 */
const lostItsRace = ({ id, request, row }: AcceptedRequest, judged: Judged): boolean => {
  const { network, to } = request.asked;
  const landed = judged.facts.chain.landed.get(id);
  return (
    network === "Stellar" &&
    row?.reason === REVERTED &&
    typeof landed === "object" &&
    landed.amount === 0n &&
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

/** Differences between the caller's last view and the database. A view shows a hash from the broadcast on. */
const misshown = ({ request: { end }, row }: AcceptedRequest): readonly string[] => {
  if (row === undefined) return [];
  const shown = (what: string, one: string | undefined, other: string | undefined): string =>
    `its caller was last shown ${one ?? `no ${what}`}, and the database has ${other ?? "none"}`;
  if (end?.status !== row.status) return [shown("end", end?.status, row.status)];
  const isHashRight = end.txHash === row.txHash || (end.txHash === undefined && row.status !== "Confirmed");
  return [
    ...(isHashRight ? [] : [shown("transaction", end.txHash, row.txHash)]),
    ...(end.reason === row.reason ? [] : [shown("reason", end.reason, row.reason)]),
  ];
};

/** INV-5: each accepted request has ended as asked, or as the plan allows, and its caller was shown that end. */
export const checkEnds: Check = (judged) => [
  ...acceptedOf(judged).flatMap((accepted) => judgeEnd(accepted, judged)),
  ...acceptedOf(judged).flatMap((accepted) =>
    misshown(accepted).map((words): Finding => ({ invariant: "INV-5", words, requestId: accepted.id })),
  ),
];

const BAD_REQUEST = 400;

/** INV-5: the queue is empty, every request of the load has an answer, and at least one was accepted. */
export const checkLeftovers: Check = ({ facts, history }) => [
  ...facts.database.due.map(({ id, isParked, reason }): Finding => {
    const words = `the queue still has it${isParked ? ", parked" : ""}: ${reason ?? "no reason"}`;
    return { invariant: "INV-5", words, requestId: id };
  }),
  ...history.requests
    .filter(({ answer }) => answer === undefined)
    .map(({ asked }): Finding => ({ invariant: "INV-5", words: `request ${asked.number} has no answer` })),
  // a 4xx is a wrong answer, which INV-9 reports
  ...history.requests.flatMap(({ asked, answer }): readonly Finding[] =>
    answer?.kind === "refused" && answer.status < BAD_REQUEST
      ? [
          {
            invariant: "INV-5",
            words: `request ${asked.number} was answered ${answer.status}, and is not followed`,
          },
        ]
      : [],
  ),
  ...(history.requests.some(({ answer }) => answer?.kind === "accepted")
    ? []
    : [{ invariant: "INV-5", words: "nothing was accepted, so that nothing is shown" } as const]),
];

/** Two answer times: a call may fail at a dying gateway, and its repetition is answered in time. */
const SERVED_MS = 2 * ANSWER_MS;

/** INV-5: requests are answered in time even while another organisation sends as many as it may. */
export const checkServed: Check = ({ history, expected }) =>
  history.requests.flatMap(({ asked, askedAtMs, answer }): readonly Finding[] => {
    const isBeside = expected.overloaded.some(
      ({ fromMs, untilMs }) => askedAtMs >= fromMs && askedAtMs <= untilMs,
    );
    const waitedMs = answer === undefined ? Number.POSITIVE_INFINITY : answer.atMs - askedAtMs;
    if (!isBeside || waitedMs <= SERVED_MS) return [];
    const words = `request ${asked.number} was answered after ${waitedMs} ms, beside an organisation that overloads`;
    return [{ invariant: "INV-5", words }];
  });

/**
 * INV-4: one row per externalId, however often a request was repeated, for the right wallet; and no unrequested row, of any
 * wallet.
 */
export const checkRows: Check = (judged) => {
  const { facts, history } = judged;
  const wallets = new Set(history.wallets.map(({ id }) => id));
  const rows = facts.database.rows.filter(({ walletId }) => wallets.has(walletId));
  const asked = new Set(history.requests.map(({ externalId }) => externalId));
  const twice = repeatedIn(rows.map(({ externalId }) => externalId ?? ""));
  const refused = new Set(
    history.requests.flatMap(({ answer, externalId }) => (answer?.kind === "refused" ? [externalId] : [])),
  );
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
    ...rows
      .filter(({ externalId }) => externalId !== undefined && refused.has(externalId))
      .map(
        ({ id }): Finding => ({ invariant: "INV-9", words: "it was refused, and has a row", requestId: id }),
      ),
    // an overloading organisation adds rows for its own wallets; without one, no other rows may exist
    ...facts.database.rows
      .filter(({ orgId }) => orgId === history.orgId || !judged.expected.hasStrangers)
      .filter(({ walletId }) => !wallets.has(walletId))
      .map(({ id, walletId }): Finding => {
        return { invariant: "INV-4", words: `it is of ${walletId}, no wallet of the load`, requestId: id };
      }),
    ...acceptedOf(judged)
      .filter(({ request, row }) => row !== undefined && row.walletId !== request.walletId)
      .map(({ id, request, row }): Finding => {
        const words = `it was asked of wallet ${request.walletId}, and its row is of ${row?.walletId}`;
        return { invariant: "INV-4", words, requestId: id };
      }),
  ];
};
