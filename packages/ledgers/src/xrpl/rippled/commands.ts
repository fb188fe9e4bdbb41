import { accountInfo, accountLines, accountObjects } from "./account.ts";
import { accountTx } from "./account-tx.ts";
import { answered, failed, type RippledAnswer } from "./answer.ts";
import { ledger, ledgerClosed, ledgerCurrent } from "./ledger.ts";
import type { RippledQuery } from "./request.ts";
import { fee, randomNumber, serverInfo, serverState } from "./server.ts";
import { simulate } from "./simulate.ts";
import { tx } from "./tx.ts";

/** The read-only commands by name. */
const COMMANDS: Readonly<Record<string, (query: RippledQuery) => RippledAnswer>> = {
  account_info: accountInfo,
  account_lines: accountLines,
  account_objects: accountObjects,
  account_tx: accountTx,
  fee,
  ledger,
  ledger_closed: ledgerClosed,
  ledger_current: ledgerCurrent,
  ping: () => answered({}),
  random: randomNumber,
  server_info: serverInfo,
  server_state: serverState,
  simulate,
  tx,
};

export const answerRippledQuery = (query: RippledQuery): RippledAnswer => {
  const command = Object.hasOwn(COMMANDS, query.command) ? COMMANDS[query.command] : undefined;
  return command === undefined ? failed("unknownCmd") : command(query);
};
