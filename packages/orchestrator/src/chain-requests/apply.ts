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

/** Whether a request is still to be changed. */
type Judge = (request: ChainRequest) => boolean;

/**
 * Moves a request on (`commitAnew`).
 * @param isWanted judged on the row as it is when it is changed
 * @returns the changed request and its version; or why the event does not fit it as it is now
 * @throws Outage, with the problem OutcomeUnknown when it may have been changed
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

/** Why a request is left as it is. */
export const notWanted = ({ id, status }: ChainRequest): Problem =>
  problem("RequestStateInvalid", { requestId: id, status });

/** Tells why a request waits, once. */
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
 * Fails a request that has no signed bytes. Whether it has is judged on the row that is changed: a second delivery may have
 * had it signed and broadcast while this one asked the chain or the signers, and what it heard tells of that (INV-4). Nor does it
 * fail when other bytes were built meanwhile: what was heard is not of them.
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
