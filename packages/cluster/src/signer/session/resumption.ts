import { makeAhead } from "../auxiliary/make-ahead.ts";
import { askSpending } from "../older-store/spending.ts";
import { unconfirmedSince } from "../older-store/spending-counts.ts";
import { burnWhere } from "../presigning/burn.ts";
import { andThen, endAllWith, type SignerState, type SignerStep } from "../state.ts";
import { EMPTY_MAIL } from "./mail.ts";
import { NO_MESSAGE_IDS } from "./message-ids.ts";

const REASON = "the signer stood still, or its clock jumped: it goes on with no nonce of before";

/**
 * Burns every presignature that waits, ends every session, and drops the masks. All of these hold nonces, and if this
 * process continues from a copy of its memory, another copy may use the same nonces for something else (INV-2).
 * Coordinators begin again with new ones. The store may have gone back too, so peers must confirm it again, as after a
 * start (INV-4).
 *
 * @param before with the life that begins now
 */
export const burnNonces = (before: SignerState, nowMs: number): SignerStep => {
  const spending = unconfirmedSince(before.spending, nowMs);
  // ids and envelopes of the earlier life are of runs that cannot begin any more
  const state = { ...before, spending, messageSessions: NO_MESSAGE_IDS, mail: EMPTY_MAIL };
  const burnt = burnWhere(state, () => true);
  const ended = endAllWith(burnt, { kind: "failure", reason: REASON, silent: [] });
  const emptied = andThen(ended, (next) => ({ state: next, effects: makeAhead(next) }));
  return andThen(emptied, (next) => askSpending(next, nowMs));
};
