import { type AgaveAccount, grownAgaveData, withAgaveChanges } from "./account.ts";
import { type AgaveAddress, INCINERATOR } from "./address.ts";
import { type AgaveLanded, makeAgaveBlock } from "./block.ts";
import { isAgaveBlockhashValid, isAgaveMessageLanded } from "./blockhashes.ts";
import { carryOutAgave } from "./carry-out.ts";
import { agaveBudgetOf } from "./compute-budget.ts";
import type { AgaveEngine } from "./engine/engine.ts";
import { nextAgaveSlot } from "./genesis.ts";
import { type AgaveState, latestAgaveBlock, withNextAgaveBlock } from "./state.ts";
import type { AgaveWaiting } from "./waiting.ts";

/** A real block is limited by compute units; this one by a count that executes in a fraction of a slot. */
const TRANSACTIONS_IN_BLOCK_MAX = 256;
/** Limit on the data of all accounts: one may hold ten megabytes, and the faucet can pay for any number. */
const DATA_BYTES_MAX = 128 * 1_024 * 1_024;

/** Whether a transaction has to wait for a later block. */
const isForLater = (state: AgaveState, height: number, waiting: AgaveWaiting, inBlock: number): boolean =>
  waiting.notBefore > height ||
  agaveBudgetOf(waiting.transaction.message).unitPrice < state.unitPriceFloor ||
  inBlock >= TRANSACTIONS_IN_BLOCK_MAX;

/**
 * Makes the next block of the waiting transactions. As in nodes, a transaction that can no longer land disappears without
 * notice. @param time seconds since 1970
 */
export const mineAgaveBlock = (engine: AgaveEngine, state: AgaveState, time: number): AgaveState => {
  const parent = latestAgaveBlock(state);
  const [height, slot] = [parent.height + 1, nextAgaveSlot(state.genesis, state.lastSlot)];
  const at = { slot, time: Math.max(time, parent.time) };
  const changes = new Map<AgaveAddress, AgaveAccount | undefined>();
  const accountOf = (address: AgaveAddress) =>
    changes.has(address) ? changes.get(address) : state.accounts.get(address);
  const transactions: AgaveLanded[] = [];
  const left: AgaveWaiting[] = [];
  const messages = new Set<string>();
  let { dataBytes } = state;
  for (const waiting of state.waiting) {
    const { transaction } = waiting;
    const { messageHash, message } = transaction;
    if (!isAgaveBlockhashValid(state, parent.height, message.blockhash)) continue;
    if (messages.has(messageHash) || isAgaveMessageLanded(state, messageHash)) continue;
    if (isForLater(state, height, waiting, transactions.length)) {
      left.push(waiting);
      continue;
    }
    const done = carryOutAgave(engine, transaction, { ...at, accountOf });
    if (done === undefined) continue;
    const grown = grownAgaveData(done.changes, accountOf);
    if (grown > 0 && dataBytes + grown > DATA_BYTES_MAX) continue;
    dataBytes += grown;
    for (const [address, account] of done.changes) changes.set(address, account);
    transactions.push(done.landed);
    messages.add(messageHash);
  }
  if (changes.has(INCINERATOR)) changes.set(INCINERATOR, undefined);
  const undo = new Map([...changes.keys()].map((address) => [address, state.accounts.get(address)]));
  const { unitPriceFloor } = state;
  const block = makeAgaveBlock(state.genesis.hash, parent, { ...at, transactions, unitPriceFloor, undo });
  return {
    ...state,
    ...withNextAgaveBlock(state, block),
    accounts: withAgaveChanges(state.accounts, changes),
    dataBytes,
    waiting: left,
  };
};
