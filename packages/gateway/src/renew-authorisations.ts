import { AUTHORISATION_AGE_MS_MAX, type World } from "@conclave/custody";
import {
  AUTHORISED_TABLES,
  type AuthorisedRecord,
  type AuthorisedTable,
  attend,
  type Connection,
  type Database,
  type DueAuthorisation,
  type Logger,
  renewAuthorisation,
  type Subscription,
  takeDueAuthorisations,
  UnreadableRow,
} from "@conclave/platform";
import type { Renewal } from "./authority.ts";
import { endUnrenewable } from "./end-unrenewable.ts";
import {
  authorisedNames,
  renewalsFailed,
  rightlessEnded,
  rightlessNotEnded,
  rightUnreadable,
} from "./log-events.ts";
import { endRightless, judgeRightToRenew } from "./right-to-renew.ts";

/** Age at which an authorisation is renewed: signers then still accept it for two thirds of its lifetime, as clocks differ. */
export const RENEW_AFTER_MS: number = AUTHORISATION_AGE_MS_MAX / 3;
/** An authorisation dated further ahead than this was signed by a wrong clock, and signers would wait for that date. */
const AHEAD_MS = 30_000;
const BATCH = 64;

/** The dependencies of renewal. */
export interface AuthorisationRenewal {
  readonly database: Database;
  readonly renewal: Renewal;
  readonly now: () => Date;
  readonly logger: Logger;
}

/**
 * Renews, until stopped, the authorisations of what is still wanted. So an authorisation lives for minutes: once a
 * request was aborted or has ended, it is no longer renewed, and signers refuse it. A request whose authorisation
 * cannot be renewed fails once it is too old. A request whose requester has lost the right ends instead. Many gateways
 * may run.
 */
export const startAuthorisationRenewal = (
  parts: AuthorisationRenewal & { readonly world: World },
): Subscription =>
  attend({
    world: parts.world,
    round: () => renewAll(parts),
    onFailure: (err) => renewalsFailed(parts.logger, { err }),
  });

/**
 * Looks once at every due authorisation.
 * @param batch number renewed in one transaction
 * @returns the number of renewed authorisations
 */
export const renewAll = async (parts: AuthorisationRenewal, batch = BATCH): Promise<number> => {
  let renewed = 0;
  for (const table of AUTHORISED_TABLES) renewed += await renewTable(parts, table, batch);
  return renewed;
};

const renewTable = async (
  { database, renewal, now, logger }: AuthorisationRenewal,
  table: AuthorisedTable,
  batch: number,
): Promise<number> => {
  let renewed = 0;
  const unrenewable: DueAuthorisation[] = [];
  const rightless: DueAuthorisation[] = [];
  let afterId: string | undefined = "";
  while (afterId !== undefined) {
    const after: string = afterId;
    afterId = await database.transaction(async (connection) => {
      const at = now();
      const due = {
        before: new Date(at.getTime() - RENEW_AFTER_MS).toISOString(),
        after: new Date(at.getTime() + AHEAD_MS).toISOString(),
      };
      const { found, next } = await takeDueAuthorisations(connection, table, due, after, batch);
      for (const each of found) {
        const { id, authorisation, date, isStale } = each;
        const right = isStale ? "unjudged" : await rightToRenew(connection, each, logger);
        if (right === "ended") rightless.push(each);
        if (right === "ended" || right === "unreadable") continue;
        const anew = isStale ? undefined : renewal(id, authorisation);
        // for example after a change of the authority key: signers refuse it too, and soon also for its age
        if (anew === undefined) {
          if (at.getTime() - Date.parse(date) > AUTHORISATION_AGE_MS_MAX) unrenewable.push(each);
        } else {
          await renewAuthorisation(connection, each, anew, at.toISOString());
          renewed += 1;
        }
      }
      return next;
    });
    const parts = { database, now, logger };
    for (const each of unrenewable.splice(0)) await endUnrenewable(parts, each);
    for (const each of rightless.splice(0)) await endOne(parts, each);
  }
  return renewed;
};

/** Whether the requester still has the right. A record that cannot be read is not renewed, and does not block others. */
const rightToRenew = async (
  connection: Connection,
  record: AuthorisedRecord,
  logger: Logger,
): Promise<"holds" | "ended" | "unreadable"> => {
  try {
    return (await judgeRightToRenew(connection, record)).ok ? "holds" : "ended";
  } catch (err) {
    if (!(err instanceof UnreadableRow)) throw err;
    rightUnreadable(logger, { ...authorisedNames(record), err });
    return "unreadable";
  }
};

/** Ends one request. If that fails, it does not block others: it is not renewed, and is looked at again. */
const endOne = async (
  { database, now, logger }: Omit<AuthorisationRenewal, "renewal">,
  record: AuthorisedRecord,
): Promise<void> => {
  try {
    const reason = await endRightless(database, record, now().toISOString());
    if (reason !== undefined) rightlessEnded(logger, { ...authorisedNames(record), reason });
  } catch (err) {
    rightlessNotEnded(logger, { ...authorisedNames(record), err });
  }
};
