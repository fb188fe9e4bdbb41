import {
  type ChainRequest,
  type ChainRequestEvent,
  fail,
  isoNow,
  type Result,
  reasonWords,
  type World,
} from "@conclave/custody";
import {
  changeChainRequest,
  commitRequest,
  type Database,
  lockChainRequest,
  readVersionedRequest,
  type VersionedRequest,
} from "@conclave/platform";

/** One whose row others change each time is changed under its lock in the end, where they wait. */
const TRIES_WITHOUT_LOCK = 3;

/** Whether a request is still to be changed. */
type Judge = (request: ChainRequest) => boolean;

/**
 * Moves a request on: decided on the row as it was read, and committed if the row is still that one, in one round trip. Where somebody
 * else was faster it is read and decided anew.
 * @param isWanted judged on the row as it is when it is changed
 * @returns the changed request; or why the event does not fit it as it is now
 * @throws Outage, with the problem OutcomeUnknown when it may have been changed
 */
export const apply = async (
  database: Database,
  seen: VersionedRequest,
  event: ChainRequestEvent,
  isWanted: Judge = () => true,
): Promise<Result<ChainRequest>> => {
  let current: VersionedRequest | undefined = seen;
  for (let tries = 0; tries < TRIES_WITHOUT_LOCK; tries += 1) {
    if (current === undefined) return fail("NotFound");
    if (!isWanted(current.request)) return notWanted(current.request);
    const outcome = await commitRequest(database, current, event);
    switch (outcome.kind) {
      case "committed":
        return { ok: true, value: outcome.request };
      case "unknown":
        throw outcome.outage;
      case "takes-locks":
        return applyUnderLock(database, seen, event, isWanted);
      case "refused":
        // what was read long ago may have come to fit meanwhile
        if (tries > 0) return { ok: false, problem: outcome.problem };
        break;
      case "conflict":
        break;
    }
    current = await readVersionedRequest(database, seen.request.id);
  }
  return applyUnderLock(database, seen, event, isWanted);
};

const applyUnderLock = (
  database: Database,
  { request: { id } }: VersionedRequest,
  event: ChainRequestEvent,
  isWanted: Judge,
): Promise<Result<ChainRequest>> =>
  database.transaction(async (connection) => {
    const request = await lockChainRequest(connection, id);
    if (request === undefined) return fail("NotFound");
    return isWanted(request) ? changeChainRequest(connection, request, event) : notWanted(request);
  });

const notWanted = ({ id, status }: ChainRequest): Result<never> =>
  fail("RequestStateInvalid", { requestId: id, status });

/** Tells why a request waits, once. */
export const noteReason = async (
  database: Database,
  seen: VersionedRequest,
  reason: string | undefined,
): Promise<void> => {
  const { status, reason: told } = seen.request;
  if (status !== "Executing" || told === (reason && reasonWords(reason))) return;
  await apply(database, seen, { kind: "Waiting", reason });
};

/**
 * Fails a request that has no signed bytes. Whether it has is judged on the row that is changed: a second delivery may have
 * had it signed and broadcast while this one asked the chain or the signers, and what it heard tells of that (INV-4). Nor does it
 * fail when other bytes were built meanwhile: what was heard is not of them.
 */
export const failUnsigned = async (
  { database, world }: { readonly database: Database; readonly world: World },
  seen: VersionedRequest,
  reason: string,
): Promise<void> => {
  const event = { kind: "Failed", date: isoNow(world), reason } as const;
  const { unsignedTransaction: before } = seen.request;
  await apply(
    database,
    seen,
    event,
    ({ signedTransaction, unsignedTransaction }) =>
      signedTransaction === undefined && isSame(before, unsignedTransaction),
  );
};

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
