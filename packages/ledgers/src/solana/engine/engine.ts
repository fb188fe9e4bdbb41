import type { AgaveAccount, AgaveAccountChanges } from "../account.ts";
import type { AgaveAddress } from "../address.ts";
import type { AgaveTransactionError } from "../transaction-error.ts";
import type { AgaveInstruction } from "../wire/message.ts";
import type { AgaveTransaction } from "../wire/transaction.ts";

/** An instruction that a program invoked. */
export interface AgaveInnerInstruction extends AgaveInstruction {
  readonly stackHeight: number;
}

/** A transaction to execute, with its surroundings. */
export interface AgaveRun {
  readonly transaction: AgaveTransaction;
  /** @returns undefined if the account does not exist */
  readonly accountOf: (address: AgaveAddress) => AgaveAccount | undefined;
  readonly slot: number;
  /** seconds since 1970 */
  readonly time: number;
  /** whether invalid signatures make it fail; a simulated transaction may still be unsigned */
  readonly verifies: boolean;
}

export interface AgaveOutcome {
  readonly error: AgaveTransactionError | undefined;
  readonly logs: readonly string[];
  /** by instruction */
  readonly inner: readonly (readonly AgaveInnerInstruction[])[];
  readonly units: bigint;
  readonly returned: { readonly program: AgaveAddress; readonly data: Uint8Array } | undefined;
  /** the writable accounts that changed, by the fee too */
  readonly changes: AgaveAccountChanges;
}

/** Executes transactions as the chain's runtime does; equal runs have equal outcomes. */
export interface AgaveEngine {
  run(run: AgaveRun): AgaveOutcome;
  /** The initial account of an address, if it is a program or sysvar. */
  builtin(address: AgaveAddress): AgaveAccount | undefined;
  /** Lamports that an account with this many bytes must hold. */
  rentExemptMinimum(bytes: number): bigint;
}
