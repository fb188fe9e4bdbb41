import type { ChainRequestEvent } from "@conclave/custody";
import {
  commitRequests,
  readVersionedRequest,
  readWalletLine,
  type VersionedRequest,
  type WalletLine,
} from "@conclave/platform";
import { GO_ON, goOnFrom, type Next, type RequestWork } from "./step.ts";

/** Limit on attempts to commit, each on the wallet's line read again. */
const TRIES = 16;

/**
 * Commits a transaction that was built from a wallet's line. Other processes may have changed the line while the chain
 * was asked: as long as the transaction fits the current line, it is committed without asking the chain again. So a
 * slow process cannot be held up for ever by faster ones, and a wallet that is renamed all the time still sends.
 * @param first the line as it was read before the chain was asked
 * @param eventsAt gives the events to commit at a line, from rows that it reads after the line; undefined when the
 * transaction does not fit the line
 * @returns the committed request, for the next step; if the transaction does not fit, the step starts over
 */
export const commitBuilt = async (
  { database }: Pick<RequestWork, "database">,
  seen: VersionedRequest,
  first: WalletLine,
  eventsAt: (line: WalletLine) => Promise<readonly ChainRequestEvent[] | undefined>,
): Promise<Next> => {
  const { id, walletId } = seen.request;
  let line = first;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const events = await eventsAt(line);
    if (events === undefined) return GO_ON;
    const outcome = await commitRequests(database, [{ seen, events }], { expect: [line.row] });
    if (outcome.kind === "unknown") throw outcome.outage;
    if (outcome.kind === "committed") return goOnFrom(outcome.changed[0]);
    if (outcome.kind !== "conflict") return GO_ON;
    const current = await readVersionedRequest(database, id);
    if (current?.version !== seen.version) return GO_ON;
    line = await readWalletLine(database, walletId, id);
  }
  return GO_ON;
};
