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

/** Long before signers find it too old: they have two thirds of its time left, and clocks differ. */
export const RENEW_AFTER_MS: number = AUTHORISATION_AGE_MS_MAX / 3;
/** Dated further in the future than this, it was signed by a clock that was wrong, and signers would wait for that date. */
const AHEAD_MS = 30_000;
const BATCH = 64;

/** The dependencies of signing anew. */
export interface AuthorisationRenewal {
  readonly database: Database;
  readonly renewal: Renewal;
  readonly now: () => Date;
  readonly logger: Logger;
}

/**
 * Signs anew what is authorised and still wanted, until stopped. So an authorisation lives for minutes: once a request was
 * aborted or has ended, nobody renews it, and signers act on it no more. A request that it cannot sign anew has
 * failed once it is too old. Nothing is signed anew for who has lost the right to it: that ends. Many gateways
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
 * Looks once at everything that is due.
 * @param batch how many are signed in one transaction
 * @returns how many it signed anew
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
        // as after a change of the authority key: signers refuse it too, and soon for its age alone
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

/** One whose record cannot be read is not renewed, and keeps no others waiting. */
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

/** One that cannot be ended keeps no others waiting: nobody renews it, and it is looked at again. */
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
