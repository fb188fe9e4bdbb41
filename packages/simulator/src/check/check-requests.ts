import type { AskedTransfer } from "../client/client-process.ts";
import type { Violation } from "./violation.ts";

/** The part of a client's record that says how a request was answered. */
export type AnsweredRequest = Pick<AskedTransfer, "externalId" | "attempts" | "ids" | "refusal">;

/**
 * Judges a client's record of its requests: each has one answer, and its attempts are one transfer.
 * @param stored the ids of all transfers in the database
 */
export const checkRequests = (
  asked: readonly AnsweredRequest[],
  stored: readonly string[] = [],
): readonly Violation[] => [
  ...asked.flatMap((each) => [...unanswered(each), ...repeated(each)]),
  ...shared(asked),
  ...unheardOf(asked, stored),
];

/** INV-4: each transfer in the database is the answer to a request. */
const unheardOf = (asked: readonly AnsweredRequest[], stored: readonly string[]): readonly Violation[] => {
  if (asked.some(({ ids }) => ids.size === 0)) return [];
  const known = new Set<string>(asked.flatMap(({ ids }) => [...ids]));
  return stored
    .filter((id) => !known.has(id))
    .map((id) => ({ invariant: "INV-4", words: `${id} is stored, and is the answer to no request` }));
};

/** INV-5: a request is answered once the cluster is healed, and nothing refuses it. */
const unanswered = ({ externalId, ids, refusal, attempts }: AnsweredRequest): readonly Violation[] => {
  if (refusal !== undefined)
    return [{ invariant: "INV-5", words: `${externalId} is refused: ${refusal.code}, ${refusal.message}` }];
  return ids.size > 0
    ? []
    : [{ invariant: "INV-5", words: `${externalId} has no answer after ${attempts} attempts` }];
};

/** INV-4: all attempts of a request are one transfer. */
const repeated = ({ externalId, ids }: AnsweredRequest): readonly Violation[] =>
  ids.size < 2
    ? []
    : [{ invariant: "INV-4", words: `${externalId} became ${ids.size} transfers: ${[...ids].join(", ")}` }];

/** INV-4: a transfer answers one request. */
const shared = (asked: readonly AnsweredRequest[]): readonly Violation[] => {
  const owners = new Map<string, string>();
  return asked.flatMap(({ externalId, ids }) =>
    [...ids].flatMap((id) => {
      const owner = owners.get(id);
      owners.set(id, externalId);
      return owner === undefined
        ? []
        : [{ invariant: "INV-4", words: `${id} is the answer to ${owner} and to ${externalId}` }];
    }),
  );
};
