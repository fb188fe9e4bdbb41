import { makeAhead } from "../auxiliary/make-ahead.ts";
import { askSpending } from "../older-store/spending.ts";
import { unconfirmedSince } from "../older-store/spending-counts.ts";
import { burnWhere } from "../presigning/burn.ts";
import { andThen, endAllWith, type SignerState, type SignerStep } from "../state.ts";
import { EMPTY_MAIL } from "./mail.ts";
import { NO_MESSAGE_IDS } from "./message-ids.ts";

const REASON = "the signer stood still, or its clock jumped: it goes on with no nonce of before";

/**
 * Burns every presignature that waits, ends every session, and has the masks dropped that were made ahead. Each of them holds nonces, and
 * where this process goes on from a copy of its memory, another copy may use the same ones for something else (INV-2). Coordinators begin
 * again with fresh ones. Its store may have gone back with it: the peers confirm anew that it has not, as after a start (INV-4).
 *
 * @param before with the life that begins now
 */
export const burnNonces = (before: SignerState, nowMs: number): SignerStep => {
  const spending = unconfirmedSince(before.spending, nowMs);
  // ids and envelopes of the life before are of runs that begin nowhere any more
  const state = { ...before, spending, messageSessions: NO_MESSAGE_IDS, mail: EMPTY_MAIL };
  const burnt = burnWhere(state, () => true);
  const ended = endAllWith(burnt, { kind: "failure", reason: REASON, silent: [] });
  const emptied = andThen(ended, (next) => ({ state: next, effects: makeAhead(next) }));
  return andThen(emptied, (next) => askSpending(next, nowMs));
};
