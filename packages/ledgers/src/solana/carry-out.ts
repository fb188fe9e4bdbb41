import type { AgaveAccount } from "./account.ts";
import type { AgaveAddress } from "./address.ts";
import type { AgaveBalances, AgaveBlock, AgaveLanded, AgaveTokenBalance } from "./block.ts";
import { isAgaveBlockhashValid, isAgaveMessageLanded } from "./blockhashes.ts";
import { agaveBudgetOf } from "./compute-budget.ts";
import type { AgaveEngine, AgaveOutcome } from "./engine/engine.ts";
import { type AgaveState, agaveAccountAt } from "./state.ts";
import { readAgaveMint, readAgaveTokenAccount } from "./token/token-account.ts";
import { plainAgaveError } from "./transaction-error.ts";
import type { AgaveTransaction } from "./wire/transaction.ts";

type AccountOf = (address: AgaveAddress) => AgaveAccount | undefined;

const balancesOf = (keys: readonly AgaveAddress[], accountOf: AccountOf): AgaveBalances => ({
  lamports: keys.map((key) => accountOf(key)?.lamports ?? 0n),
  tokens: keys.flatMap((key, place): readonly AgaveTokenBalance[] => {
    const account = accountOf(key);
    const held = readAgaveTokenAccount(account);
    if (account === undefined || held === undefined) return [];
    const decimals = readAgaveMint(accountOf(held.mint))?.decimals ?? 0;
    const { mint, owner, amount } = held;
    return [{ place, mint, owner, program: account.owner, amount, decimals }];
  }),
});

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** A carried-out transaction: its record in a block, and its changes of accounts. */
export interface AgaveCarriedOut {
  readonly landed: AgaveLanded;
  readonly changes: AgaveOutcome["changes"];
}

/**
 * Carries out a transaction in a slot.
 * @returns undefined if no block may hold it, because a signature is wrong or its fee cannot be paid
 */
export const carryOutAgave = (
  engine: AgaveEngine,
  transaction: AgaveTransaction,
  where: { readonly accountOf: AccountOf; readonly slot: number; readonly time: number },
): AgaveCarriedOut | undefined => {
  const { changes, ...outcome } = engine.run({ transaction, ...where, verifies: true });
  if (changes.size === 0) return undefined;
  const { keys } = transaction.message;
  const known = (address: AgaveAddress) => where.accountOf(address) ?? engine.builtin(address);
  const before = balancesOf(keys, known);
  const after = balancesOf(keys, (address) => (changes.has(address) ? changes.get(address) : known(address)));
  const fee = sum(before.lamports) - sum(after.lamports);
  const { unitPrice } = agaveBudgetOf(transaction.message);
  return { landed: { transaction, ...outcome, fee, unitPrice, before, after }, changes };
};

const notRun = (name: string): AgaveOutcome => ({
  error: plainAgaveError(name),
  logs: [],
  inner: [],
  units: 0n,
  returned: undefined,
  changes: new Map(),
});

/** The outcome of a transaction on top of a block, without verifying signatures. Nothing changes. */
export const simulateAgave = (
  engine: AgaveEngine,
  state: AgaveState,
  block: AgaveBlock,
  transaction: AgaveTransaction,
  checks: { readonly blockhash: boolean },
): AgaveOutcome => {
  const { blockhash } = transaction.message;
  if (checks.blockhash && !isAgaveBlockhashValid(state, block.height, blockhash)) {
    return notRun("BlockhashNotFound");
  }
  if (isAgaveMessageLanded(state, transaction.messageHash, block.height)) return notRun("AlreadyProcessed");
  return engine.run({
    transaction,
    accountOf: (address) => agaveAccountAt(state, block, address),
    slot: block.slot,
    time: block.time,
    verifies: false,
  });
};
