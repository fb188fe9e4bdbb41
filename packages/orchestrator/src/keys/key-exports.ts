import { keyExportIdSchema } from "@conclave/custody";
import {
  type BusMessage,
  type Connection,
  changeKey,
  type Database,
  type Disposition,
  doneSubject,
  type KeyExport,
  type Logger,
  lockKey,
  type Roster,
  readKeyExport,
  settleKeyExport,
} from "@conclave/platform";
import { z } from "zod";
import type { Coordinators } from "../coordinators.ts";
import { exportedShares } from "./exported-shares.ts";

const RETRY_MS = 500;

const messageSchema = z.object({ exportId: keyExportIdSchema });

export interface KeyExportHandler {
  readonly database: Database;
  readonly roster: Pick<Roster, "signers">;
  readonly coordinators: Pick<Coordinators, "exportKey">;
  /** tells a waiting gateway to read the row again */
  readonly signal: (subject: string) => void;
  readonly logger: Logger;
}

const DONE: Disposition = { kind: "Done" };
const AGAIN: Disposition = { kind: "Again", afterMs: RETRY_MS };

/**
 * What the consumer of exports does with a message: the signers seal their shares for the client, and the row holds what
 * they sealed until the gateway has answered it. The key is exported from then on, whether or not anybody still waits.
 */
export const handleKeyExport =
  (handler: KeyExportHandler) =>
  async ({ data }: BusMessage): Promise<Disposition> => {
    const message = messageSchema.safeParse(data);
    if (!message.success) {
      handler.logger.error({ issues: message.error.issues }, "a request for an export cannot be read");
      return DONE;
    }
    const asked = await readKeyExport(handler.database, message.data.exportId);
    return asked?.status === "Pending" ? carryOut(handler, asked) : DONE;
  };

/** One export, one event, however often its message comes; what left counts, also when the gateway waits no longer. */
const settle = async (
  connection: Connection,
  { id, keyId }: KeyExport,
  shares: ReturnType<typeof exportedShares>,
): Promise<void> => {
  const isFirst = await settleKeyExport(connection, id, { kind: "Done", shares: [...shares] });
  const key = await lockKey(connection, keyId);
  const isNoted = key !== undefined && "dateExported" in key && key.dateExported !== undefined;
  if (isFirst || !isNoted) {
    await changeKey(connection, keyId, { kind: "Exported", date: new Date().toISOString() });
  }
};

const carryOut = async (handler: KeyExportHandler, asked: KeyExport): Promise<Disposition> => {
  const { database, coordinators, roster, logger } = handler;
  const { id, keyId, authorisation } = asked;
  const outcome = await coordinators.exportKey({ keyId, authorisation }).outcome;
  switch (outcome.kind) {
    case "stopped":
      return AGAIN;
    case "failed":
      logger.warn({ keyId, problem: outcome.problem }, "a key was not exported");
      await settleKeyExport(database, id, { kind: "Failed", problem: outcome.problem });
      break;
    case "done": {
      const shares = exportedShares(roster, outcome.value.envelopes);
      await database.transaction((connection) => settle(connection, asked, shares));
      logger.info({ keyId, exportId: id }, "a key was exported");
    }
  }
  handler.signal(doneSubject(id));
  return DONE;
};
