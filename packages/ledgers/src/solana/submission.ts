import type { LedgerJson } from "../json.ts";
import { isAgaveMessageLanded } from "./blockhashes.ts";
import { simulateAgave } from "./carry-out.ts";
import type { AgaveEngine, AgaveOutcome } from "./engine/engine.ts";
import { AGAVE_CODES, type AgaveRefusal } from "./refusal.ts";
import { agaveOutcomeJson } from "./rpc/outcome-json.ts";
import { type AgaveCommitment, type AgaveState, agaveBlockAt } from "./state.ts";
import { agaveErrorWords } from "./transaction-error.ts";
import { MOST_AGAVE_WAITING } from "./waiting.ts";
import { AgaveWireError } from "./wire/canonical.ts";
import { isAgaveSigned } from "./wire/signatures.ts";
import { type AgaveTransaction, agaveSignatureOf, readAgaveTransaction } from "./wire/transaction.ts";

/** Maximum number of accounts; a transaction that would create more is refused. */
const MOST_ACCOUNTS = 100_000;

/** A sent transaction, with the options of its check. */
export interface AgaveSubmission {
  readonly bytes: Uint8Array;
  readonly skipPreflight: boolean;
  /** the commitment of the block on which preflight simulates the transaction */
  readonly commitment: AgaveCommitment;
}

export const AGAVE_NOT_SIGNED: AgaveRefusal = {
  code: AGAVE_CODES.signature,
  message: "Transaction signature verification failure",
};

export type AgaveAdmission =
  | { readonly ok: true; readonly state: AgaveState; readonly signature: string }
  | { readonly ok: false; readonly refusal: AgaveRefusal };

const refused = (code: number, message: string, data?: LedgerJson): AgaveAdmission => ({
  ok: false,
  refusal: data === undefined ? { code, message } : { code, message, data },
});

/** @returns a refusal if the simulated transaction failed */
const preflightRefusal = ({ error, ...outcome }: AgaveOutcome): AgaveAdmission | undefined => {
  if (error === undefined) return undefined;
  const words = `Transaction simulation failed: ${agaveErrorWords(error)}`;
  return refused(AGAVE_CODES.preflight, words, agaveOutcomeJson({ error, ...outcome }));
};

/** Parses a submission. @returns the transaction, or a refusal of malformed bytes; other errors are thrown */
export const readSubmittedAgave = (bytes: Uint8Array): AgaveTransaction | AgaveRefusal => {
  try {
    return readAgaveTransaction(bytes);
  } catch (error) {
    if (!(error instanceof AgaveWireError)) throw error;
    return { code: AGAVE_CODES.invalidParams, message: error.message };
  }
};

/** Adds a transaction to those that wait for a block. @source Agave, rpc/src/rpc.rs: send_transaction */
export const submitAgave = (
  engine: AgaveEngine,
  state: AgaveState,
  { bytes, skipPreflight, commitment }: AgaveSubmission,
): AgaveAdmission => {
  const transaction = readSubmittedAgave(bytes);
  if ("code" in transaction) return { ok: false, refusal: transaction };
  if (!skipPreflight) {
    if (!isAgaveSigned(transaction)) return { ok: false, refusal: AGAVE_NOT_SIGNED };
    const block = agaveBlockAt(state, commitment);
    const refusal = preflightRefusal(simulateAgave(engine, state, block, transaction, { blockhash: true }));
    if (refusal !== undefined) return refusal;
  }
  const signature = agaveSignatureOf(transaction);
  const isKnown =
    state.waiting.some((waiting) => agaveSignatureOf(waiting.transaction) === signature) ||
    isAgaveMessageLanded(state, transaction.messageHash);
  if (isKnown) return { ok: true, state, signature };
  if (state.waiting.length >= MOST_AGAVE_WAITING) {
    return refused(
      AGAVE_CODES.internal,
      `this simulated ledger lets ${MOST_AGAVE_WAITING} transactions wait at most`,
    );
  }
  if (state.accounts.size >= MOST_ACCOUNTS) {
    return refused(AGAVE_CODES.internal, `this simulated ledger holds ${MOST_ACCOUNTS} accounts at most`);
  }
  const waiting = [...state.waiting, { transaction, notBefore: 0 }];
  return { ok: true, state: { ...state, waiting }, signature };
};
