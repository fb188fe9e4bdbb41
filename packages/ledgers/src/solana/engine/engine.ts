import type { AgaveAccount, AgaveAccountChanges } from "../account.ts";
import type { AgaveAddress } from "../address.ts";
import type { AgaveTransactionError } from "../transaction-error.ts";
import type { AgaveInstruction } from "../wire/message.ts";
import type { AgaveTransaction } from "../wire/transaction.ts";

/** An instruction that a program called. */
export interface AgaveInnerInstruction extends AgaveInstruction {
  readonly stackHeight: number;
}

/** The engine that executes transactions. */
export interface AgaveRun {
  readonly transaction: AgaveTransaction;
  /** @returns undefined where there is no account */
  readonly accountOf: (address: AgaveAddress) => AgaveAccount | undefined;
  readonly slot: number;
  /** seconds since 1970 */
  readonly time: number;
  /** whether wrong signatures fail it: those who only simulate may have none yet */
  readonly verifies: boolean;
}

export interface AgaveOutcome {
  readonly error: AgaveTransactionError | undefined;
  readonly logs: readonly string[];
  /** those of each instruction */
  readonly inner: readonly (readonly AgaveInnerInstruction[])[];
  readonly units: bigint;
  readonly returned: { readonly program: AgaveAddress; readonly data: Uint8Array } | undefined;
  /** of what it may write: all that is another than before, the fee too */
  readonly changes: AgaveAccountChanges;
}

/** The runtime of the chain: equal runs have equal outcomes. */
export interface AgaveEngine {
  run(run: AgaveRun): AgaveOutcome;
  /** The initial account of an address: programs and sysvars. */
  builtin(address: AgaveAddress): AgaveAccount | undefined;
  /** Lamports that an account with so many bytes must hold. */
  rentExemptMinimum(bytes: number): bigint;
}
