import { reasonWords, transactionIdSchema, transferIdSchema } from "@conclave/custody";
import {
  commitRequests,
  type Database,
  forgetNotes,
  type Logger,
  listUnnoted,
  markNoted,
  Outage,
  readVersionedRequest,
  type VersionedRequest,
  waitsInLine,
} from "@conclave/platform";
import { z } from "zod";
import { notWanted } from "../chain-requests/apply.ts";
import { commitAnew } from "../commit-anew.ts";
import { waitNotExplained } from "../log/log-events.ts";

/** Requests per batch; small, as requests that are being signed share the database. */
const BATCH = 16;
const MORE_MS = 100;
const NONE_MS = 1_000;
const REASON = "waiting for an earlier request of the wallet";

const idSchema = z.union([transferIdSchema, transactionIdSchema]);

/**
 * Writes why requests wait behind others of their wallet, once for each reason; until their turn nothing else is done
 * for them. A request that cannot be read is skipped, and delays no others.
 * @param shortage the reason why nothing at all can be signed now; undefined when it can
 * @returns one round, which gives the pause after it, in milliseconds
 */
export const makeWaitNotes = (
  database: Database,
  shortage: () => string | undefined,
  logger: Pick<Logger, "error">,
): (() => Promise<number>) => {
  let noted = REASON;
  return async () => {
    const reason = reasonWords(shortage() ?? REASON);
    if (reason !== noted) await forgetNotes(database);
    noted = reason;
    const waiting = await listUnnoted(database, BATCH);
    for (const id of waiting) {
      await noteWait(database, id, reason).catch((err: unknown) => {
        if (err instanceof Outage) throw err;
        waitNotExplained(logger, { err, requestId: id });
      });
    }
    if (waiting.length > 0) await markNoted(database, waiting);
    return waiting.length === BATCH ? MORE_MS : NONE_MS;
  };
};

/** Records why a request waits. A request whose turn has come meanwhile is left alone: its own step records its reason. */
const noteWait = async (database: Database, name: string, reason: string): Promise<void> => {
  const id = idSchema.parse(name);
  await commitAnew<VersionedRequest, unknown>(undefined, {
    read: async () => {
      const seen = await readVersionedRequest(database, id);
      return seen !== undefined && (await waitsInLine(database, id)) ? seen : undefined;
    },
    commit: async (seen) => {
      const { status, reason: noted } = seen.request;
      const waiting = { kind: "Waiting", reason } as const;
      if (status === "Pending")
        return commitRequests(database, [{ seen, events: [{ kind: "Begun" }, waiting] }]);
      return status === "Executing" && noted !== reason
        ? commitRequests(database, [{ seen, events: [waiting] }])
        : { kind: "refused", problem: notWanted(seen.request) };
    },
  });
};
