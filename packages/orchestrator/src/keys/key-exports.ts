import { isoNow, keyExportIdSchema, type World } from "@conclave/custody";
import {
  type Connection,
  changeKey,
  type Database,
  doneSubject,
  type KeyExport,
  type KeyExportOutcome,
  type Logger,
  lockKey,
  type Roster,
  readKeyExport,
  settleKeyExport,
} from "@conclave/platform";
import type { Coordinators } from "../coordinators.ts";
import { keyExported, keyNotExported } from "../log/key-events.ts";
import { type Disposition, DONE, type HeldRequest, type RequestLook } from "../queue/disposition.ts";
import { exportedShares } from "./exported-shares.ts";

const RETRY_MS = 500;

export interface KeyExportHandler {
  readonly database: Database;
  readonly roster: Pick<Roster, "signers">;
  readonly coordinators: Pick<Coordinators, "exportKey" | "holdersOf">;
  /** makes a waiting gateway read the row again */
  readonly signal: (subject: string) => void;
  readonly logger: Logger;
  readonly world: World;
}

const AGAIN: Disposition = { kind: "Again", afterMs: RETRY_MS };

/**
 * Looks at a due export: the signers seal their shares for the client, and the row holds the envelopes until the
 * gateway has answered with them. From then on the key is exported, even if no caller waits any more.
 */
export const lookAtKeyExport =
  (handler: KeyExportHandler): RequestLook =>
  async ({ id, ...held }) => {
    const asked = await readKeyExport(handler.database, keyExportIdSchema.parse(id));
    return asked?.status === "Pending" ? carryOut(handler, asked, held) : DONE;
  };

/**
 * Records an export and its event once, however often it is looked at; also when the gateway no longer waits, as the
 * shares are sealed.
 */
const settle = async (
  world: World,
  connection: Connection,
  { id, keyId }: KeyExport,
  outcome: Extract<KeyExportOutcome, { readonly kind: "Done" }>,
): Promise<void> => {
  const isFirst = await settleKeyExport(connection, id, outcome);
  const key = await lockKey(connection, keyId);
  const isNoted = key !== undefined && "dateExported" in key && key.dateExported !== undefined;
  if (isFirst || !isNoted) {
    await changeKey(connection, keyId, { kind: "Exported", date: isoNow(world) });
  }
};

const carryOut = async (
  handler: KeyExportHandler,
  asked: KeyExport,
  { isHeld, lock }: Pick<HeldRequest, "isHeld" | "lock">,
): Promise<Disposition> => {
  const { database, coordinators, roster, logger, world } = handler;
  const { id, keyId, authorisation } = asked;
  const holders = await coordinators.holdersOf(keyId);
  if (holders === undefined) return AGAIN;
  const outcome = await coordinators.exportKey({ keyId, requestId: id, authorisation, holders }).outcome;
  switch (outcome.kind) {
    case "stopped":
      return AGAIN;
    case "failed": {
      // the process that holds the request now may still succeed
      if (!isHeld()) return AGAIN;
      const failed = { kind: "Failed", problem: outcome.problem } as const;
      const isFirst = await database.transaction(async (connection) =>
        (await lock(connection)) ? settleKeyExport(connection, id, failed) : undefined,
      );
      if (isFirst === undefined) return AGAIN;
      if (isFirst) keyNotExported(logger, { keyId, requestId: id, problem: outcome.problem });
      break;
    }
    case "done": {
      const { envelopes, publicKey } = outcome.value;
      const shares = [...exportedShares(roster, envelopes)];
      const done = { kind: "Done", shares, publicKey: Buffer.from(publicKey).toString("hex") } as const;
      await database.transaction((connection) => settle(world, connection, asked, done));
      keyExported(logger, { keyId, requestId: id });
    }
  }
  handler.signal(doneSubject(id));
  return DONE;
};
