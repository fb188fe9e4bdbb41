import { createdJavaTronAddress, type JavaTronAddress } from "../address.ts";
import { changedJavaTronAccount, type JavaTronBooks } from "../books.ts";
import type { JavaTronNewContract, JavaTronSubmission } from "../transaction/transaction.ts";
import {
  type AskingForRuns,
  type JavaTronCall,
  type JavaTronContext,
  type JavaTronRun,
  javaTronInvalid,
} from "./applied.ts";

const PERCENT_MAX = 100;
const NAME_CHARACTERS_MAX = 32;

/** A contract's run, with the books after it. */
export interface JavaTronRan {
  readonly books: JavaTronBooks;
  readonly run: JavaTronRun;
  readonly contract: JavaTronAddress;
  /** sun, burnt for energy */
  readonly energyFee: bigint;
}

/** The parameters of a run, for a call or a creation. */
interface Execution {
  readonly to: JavaTronAddress;
  readonly creation: Uint8Array | undefined;
  readonly data: Uint8Array;
  readonly value: bigint;
}

const withStorage = (
  before: ReadonlyMap<string, string>,
  changes: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> => {
  if (changes === undefined) return before;
  const after = new Map(before);
  for (const [slot, value] of changes) {
    if (value === "") after.delete(slot);
    else after.set(slot, value);
  }
  return after;
};

/** The books after a run: moved TRX, created contracts, storage. */
const afterRun = (
  books: JavaTronBooks,
  run: JavaTronRun,
  made: { readonly origin: JavaTronAddress; readonly contract: JavaTronNewContract | undefined },
  now: number,
): JavaTronBooks => {
  const contracts = new Map(books.contracts);
  for (const [address, code] of run.codes) {
    const { contract } = made;
    contracts.set(address, {
      origin: made.origin,
      name: contract?.name ?? "",
      abi: contract?.abi ?? new Uint8Array(),
      bytecode: contract?.bytecode ?? code,
      code,
      consumeUserPercent: contract?.consumeUserPercent ?? PERCENT_MAX,
      originEnergyLimit: contract?.originEnergyLimit ?? 0n,
      nonce: 0n,
      storage: new Map(),
    });
  }
  for (const address of new Set([...run.storage.keys(), ...run.nonces.keys()])) {
    const contract = contracts.get(address);
    if (contract === undefined) continue;
    const storage = withStorage(contract.storage, run.storage.get(address));
    contracts.set(address, { ...contract, storage, nonce: run.nonces.get(address) ?? contract.nonce });
  }
  let after: JavaTronBooks = { ...books, contracts };
  for (const [address, balance] of run.balances)
    after = changedJavaTronAccount(after, address, now, () => ({ balance }));
  for (const address of run.codes.keys())
    after = changedJavaTronAccount(after, address, now, () => ({ isContract: true }));
  return after;
};

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/**
 * Runs a contract with the energy that the fee limit and the caller's balance can pay, and burns the price of the energy
 * used. Nobody stakes for energy, so a contract's origin pays nothing.
 * @source java-tron, VMActuator.getTotalEnergyLimit; ReceiptCapsule.payEnergyBill
 */
function* execute(
  books: JavaTronBooks,
  submission: JavaTronSubmission,
  context: JavaTronContext,
  execution: Execution,
): AskingForRuns<JavaTronRan> {
  const { owner, feeLimit, act } = submission.transaction;
  const { prices, number, time } = context;
  if (feeLimit < 0n || feeLimit > prices.maxFeeLimit) {
    throw javaTronInvalid(`feeLimit must be >= 0 and <= ${prices.maxFeeLimit}`);
  }
  const balance = books.accounts.get(owner)?.balance ?? 0n;
  if (execution.value < 0n) throw javaTronInvalid("callValue must be >= 0");
  if (balance < execution.value) {
    throw javaTronInvalid("Validate InternalTransfer error, balance is not sufficient.");
  }
  const energyLimit = least(feeLimit, balance - execution.value) / prices.energyFee;
  const call: JavaTronCall = { books, caller: owner, ...execution, energyLimit, number, time };
  const run = yield call;
  const made = { origin: owner, contract: act.type === "CreateSmartContract" ? act.contract : undefined };
  const done = run.result === "SUCCESS" ? afterRun(books, run, made, time) : books;
  const energyFee = run.energy * prices.energyFee;
  const paid = changedJavaTronAccount(done, owner, time, (account) => ({
    balance: account.balance - energyFee,
  }));
  return { books: paid, run, contract: execution.to, energyFee };
}

/** Calls a contract. @source java-tron, VMActuator.call @throws JavaTronNotTaken */
export function* triggerJavaTronContract(
  books: JavaTronBooks,
  submission: JavaTronSubmission,
  context: JavaTronContext,
): AskingForRuns<JavaTronRan> {
  const { act } = submission.transaction;
  if (act.type !== "TriggerSmartContract") throw new RangeError("it calls a contract");
  if (!books.contracts.has(act.contract)) throw javaTronInvalid("No contract or not a smart contract");
  const { contract, data, callValue } = act;
  return yield* execute(books, submission, context, {
    to: contract,
    creation: undefined,
    data,
    value: callValue,
  });
}

/** Creates a contract. @source java-tron, VMActuator.create @throws JavaTronNotTaken */
export function* createJavaTronContract(
  books: JavaTronBooks,
  submission: JavaTronSubmission,
  context: JavaTronContext,
): AskingForRuns<JavaTronRan> {
  const { act, owner } = submission.transaction;
  if (act.type !== "CreateSmartContract") throw new RangeError("it makes a contract");
  const { name, consumeUserPercent, originEnergyLimit, bytecode, callValue } = act.contract;
  if (name.length > NAME_CHARACTERS_MAX)
    throw javaTronInvalid("contractName's length cannot be greater than 32");
  if (consumeUserPercent > PERCENT_MAX) throw javaTronInvalid("percent must be >= 0 and <= 100");
  if (originEnergyLimit <= 0n) throw javaTronInvalid("The originEnergyLimit must be > 0");
  const to = createdJavaTronAddress(submission.id, owner);
  if (books.accounts.has(to))
    throw javaTronInvalid("Trying to create a contract with existing contract address");
  const none = new Uint8Array();
  return yield* execute(books, submission, context, { to, creation: bytecode, data: none, value: callValue });
}
