import {
  type ChainRequest,
  type ChainRequestEvent,
  isoNow,
  type Problem,
  problem,
  type Result,
  reasonWords,
  type World,
} from "@conclave/custody";
import {
  commitRequest,
  type Database,
  readVersionedRequest,
  type VersionedRequest,
} from "@conclave/platform";
import { commitAnew } from "../commit-anew.ts";
import { countGathering, type GatheringCount } from "./count-gatherings.ts";

/** Whether the change of a request is still wanted. */
type Judge = (request: ChainRequest) => boolean;

/**
 * Applies an event to a request (`commitAnew`).
 * @param isWanted checked on the row at the time of the change
 * @returns the changed request and its version; or why the event does not fit its current state
 * @throws Outage, with the problem OutcomeUnknown when the change may have been written
 */
export const apply = async (
  database: Database,
  seen: VersionedRequest,
  event: ChainRequestEvent,
  isWanted: Judge = () => true,
): Promise<Result<VersionedRequest>> => {
  const { id } = seen.request;
  return commitAnew(seen, {
    commit: async (current) =>
      isWanted(current.request)
        ? commitRequest(database, current, event)
        : { kind: "refused", problem: notWanted(current.request) },
    read: () => readVersionedRequest(database, id),
  });
};

/** The reason why a request was not changed. */
export const notWanted = ({ id, status }: ChainRequest): Problem =>
  problem("RequestStateInvalid", { requestId: id, status });

/** Writes the reason why a request waits, unless the row already has it. */
export const noteReason = async (
  database: Database,
  seen: VersionedRequest,
  reason: string | undefined,
): Promise<void> => {
  const { status, reason: noted } = seen.request;
  if (status !== "Executing" || noted === (reason && reasonWords(reason))) return;
  await apply(database, seen, { kind: "Waiting", reason });
};

/**
 * Fails a request that has no signed bytes. This is checked on the row at the time of the change: a second delivery may
 * have had the request signed and broadcast while this one asked the chain or the signers, and the answer may be about
 * that very transaction (INV-4). If other bytes were built meanwhile, the request does not fail either, as the answer
 * was not about them.
 */
export const failUnsigned = async (
  work: { readonly database: Database; readonly world: World } & GatheringCount,
  seen: VersionedRequest,
  reason: string,
): Promise<void> => {
  const event = { kind: "Failed", date: isoNow(work.world), reason } as const;
  const { unsignedTransaction: before } = seen.request;
  const failed = await apply(
    work.database,
    seen,
    event,
    ({ signedTransaction, unsignedTransaction }) =>
      signedTransaction === undefined && isSame(before, unsignedTransaction),
  );
  if (failed.ok) countGathering(work, failed.value.request, "refused");
};

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
