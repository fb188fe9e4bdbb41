import { address, type EncodedAccount, getTransactionDecoder, lamports } from "@solana/kit";
import type { FailedTransactionMetadata, LiteSVM, TransactionMetadata } from "litesvm";
import type { AgaveAccount } from "../account.ts";
import { type AgaveAddress, agaveAddressOf, parseAgaveAddress, SYSTEM_PROGRAM } from "../address.ts";
import { AGAVE_SLOTS_PER_EPOCH } from "../epoch.ts";
import {
  AGAVE_INSTRUCTION_ERRORS,
  AGAVE_PLAIN_ERRORS,
  type AgaveTransactionError,
} from "../transaction-error.ts";
import { isAgaveWritable } from "../wire/message.ts";
import type { AgaveEngine, AgaveInnerInstruction, AgaveOutcome, AgaveRun } from "./engine.ts";

type SvmError = ReturnType<FailedTransactionMetadata["err"]>;

const nameAt = (errors: readonly (readonly [string, string])[], at: number): string =>
  errors[at]?.[0] ?? `Unknown${at}`;

const errorOf = (error: SvmError): AgaveTransactionError => {
  if (typeof error === "number") return { kind: "plain", name: nameAt(AGAVE_PLAIN_ERRORS, error) };
  if ("accountIndex" in error) {
    const name = error.constructor.name.replace("TransactionError", "");
    return {
      kind: "account",
      name: name === "InsufficientFundsForRent" ? name : "ProgramExecutionTemporarilyRestricted",
      account: error.accountIndex,
    };
  }
  if (!("err" in error)) return { kind: "duplicate-instruction", index: error.index };
  const inner = error.err();
  if (typeof inner === "number") {
    return { kind: "instruction", index: error.index, error: nameAt(AGAVE_INSTRUCTION_ERRORS, inner) };
  }
  return { kind: "instruction", index: error.index, error: "code" in inner ? inner.code : "BorshIoError" };
};

const innerOf = (meta: TransactionMetadata): readonly (readonly AgaveInnerInstruction[])[] =>
  meta.innerInstructions().map((instructions) =>
    instructions.map((inner) => {
      const instruction = inner.instruction();
      return {
        program: instruction.programIdIndex(),
        accounts: [...instruction.accounts()],
        data: Uint8Array.from(instruction.data()),
        stackHeight: inner.stackHeight(),
      };
    }),
  );

const returnedOf = (meta: TransactionMetadata): AgaveOutcome["returned"] => {
  const returned = meta.returnData();
  const data = Uint8Array.from(returned.data());
  return data.length === 0 ? undefined : { program: agaveAddressOf(returned.programId()), data };
};

const isSameAccount = (one: AgaveAccount | undefined, other: AgaveAccount | undefined): boolean => {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.lamports === other.lamports &&
    one.owner === other.owner &&
    one.executable === other.executable &&
    one.data.length === other.data.length &&
    one.data.every((byte, at) => byte === other.data[at])
  );
};

/**
 * The part of litesvm that is used. It is loaded when the first Solana ledger starts, because other processes do not need
 * it.
 */
type Library = Pick<typeof import("litesvm"), "Clock" | "LiteSVM">;

const DECODER = getTransactionDecoder();

/**
 * Solana's own runtime. Before each run it receives every account that the transaction names, so that runs do not
 * influence each other.
 */
class LiteSvmEngine implements AgaveEngine {
  readonly #library: Library;
  readonly #svm: LiteSVM;
  /** the initial accounts of the addresses that runs have overwritten */
  readonly #before = new Map<AgaveAddress, AgaveAccount | undefined>();

  constructor(loaded: Library) {
    this.#library = loaded;
    // the ledger, which has the blocks, checks blockhashes and duplicates; the engine has no blocks
    this.#svm = new loaded.LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n);
  }

  run({ transaction, accountOf, slot, time, verifies }: AgaveRun): AgaveOutcome {
    const { Clock } = this.#library;
    const epoch = BigInt(Math.floor(slot / AGAVE_SLOTS_PER_EPOCH));
    this.#svm.setClock(new Clock(BigInt(slot), 0n, epoch, epoch + 1n, BigInt(time)));
    this.#svm.withSigverify(verifies);
    const { message } = transaction;
    for (const key of message.keys) this.#put(key, accountOf(key));
    const writable = message.keys.filter((_, place) => isAgaveWritable(message, place));
    for (const key of writable) this.#rememberBuiltin(key);
    const before = writable.map((key) => this.#get(key));
    const result = this.#svm.sendTransaction(DECODER.decode(transaction.bytes));
    const changes = new Map<AgaveAddress, AgaveAccount | undefined>();
    for (const [at, key] of writable.entries()) {
      const after = this.#get(key);
      if (!isSameAccount(before[at], after)) changes.set(key, after);
    }
    const isFailed = "err" in result;
    const meta = isFailed ? result.meta() : result;
    return {
      error: isFailed ? errorOf(result.err()) : undefined,
      logs: meta.logs(),
      inner: innerOf(meta),
      units: meta.computeUnitsConsumed(),
      returned: returnedOf(meta),
      changes,
    };
  }

  builtin(address: AgaveAddress): AgaveAccount | undefined {
    return this.#before.has(address) ? this.#before.get(address) : this.#get(address);
  }

  rentExemptMinimum(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  /** Remembers the initial account of an address before a run overwrites it; simulated runs overwrite accounts too. */
  #rememberBuiltin(key: AgaveAddress): void {
    if (!this.#before.has(key)) this.#before.set(key, this.#get(key));
  }

  /** Gives the engine an account for the next run. If the ledger lacks the account, its initial state is restored. */
  #put(key: AgaveAddress, account: AgaveAccount | undefined): void {
    if (account === undefined && !this.#before.has(key)) return;
    this.#rememberBuiltin(key);
    const wanted = account ?? this.#before.get(key);
    if (isSameAccount(wanted, this.#get(key))) return;
    const { data, owner, executable, lamports: amount } = wanted ?? NOTHING;
    const encoded: EncodedAccount = {
      address: address(key),
      data,
      executable,
      lamports: lamports(amount),
      programAddress: address(owner),
      space: BigInt(data.length),
    };
    this.#svm.setAccount(encoded);
  }

  #get(key: AgaveAddress): AgaveAccount | undefined {
    const found = this.#svm.getAccount(address(key));
    if (!found.exists || found.lamports === 0n) return undefined;
    const owner = parseAgaveAddress(found.programAddress);
    if (owner === undefined) throw new Error("an account has an owner");
    const { executable, data } = found;
    return { lamports: found.lamports, data: Uint8Array.from(data), owner, executable };
  }
}

const NOTHING: AgaveAccount = {
  lamports: 0n,
  data: new Uint8Array(),
  owner: SYSTEM_PROGRAM,
  executable: false,
};

/** Loads the runtime: a few megabytes, in negligible time. */
export const loadLiteSvmEngine = async (): Promise<AgaveEngine> => new LiteSvmEngine(await import("litesvm"));
