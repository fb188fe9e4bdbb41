import { base58, base64 } from "@scure/base";
import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import type { AgaveBalances, AgaveLanded } from "../block.ts";
import { AGAVE_CODES, type AgaveRefusal } from "../refusal.ts";
import { agaveTokenAmount } from "../token/token-amount.ts";
import { agaveErrorJson } from "../transaction-error.ts";
import { isAgaveWritable } from "../wire/message.ts";
import type { AgaveTransaction } from "../wire/transaction.ts";
import { innerInstructionsJson, returnDataJson } from "./outcome-json.ts";

const NOT_PARSED = "this simulated ledger parses no instructions: ask for json, base64 or base58";

export const transactionEncodingParameter = z
  .enum(["json", "base64", "base58", "jsonParsed"])
  .refine((encoding) => encoding !== "jsonParsed", NOT_PARSED)
  .default("json");

export interface AgaveTransactionForm {
  readonly encoding: z.output<typeof transactionEncodingParameter>;
  /** the highest transaction version that the caller understands; undefined: legacy only */
  readonly maxSupportedTransactionVersion?: number | undefined;
}

const messageJson = ({ message }: AgaveTransaction): LedgerJson => ({
  header: {
    numRequiredSignatures: message.header.signers,
    numReadonlySignedAccounts: message.header.readonlySigners,
    numReadonlyUnsignedAccounts: message.header.readonlyOthers,
  },
  accountKeys: message.keys,
  recentBlockhash: message.blockhash,
  instructions: message.instructions.map(({ program, accounts, data }) => ({
    programIdIndex: program,
    accounts,
    data: base58.encode(data),
    stackHeight: 1,
  })),
  addressTableLookups: message.version === 0 ? [] : undefined,
});

const encodedTransaction = (
  transaction: AgaveTransaction,
  { encoding }: AgaveTransactionForm,
): LedgerJson => {
  if (encoding === "base64") return [base64.encode(transaction.bytes), "base64"];
  if (encoding === "base58") return [base58.encode(transaction.bytes), "base58"];
  return { signatures: transaction.signatures, message: messageJson(transaction) };
};

const tokensJson = ({ tokens }: AgaveBalances): LedgerJson =>
  tokens.map(({ place, mint, owner, program, amount, decimals }) => ({
    accountIndex: place,
    mint,
    owner,
    programId: program,
    uiTokenAmount: agaveTokenAmount(amount, decimals),
  }));

/** @source Solana documentation, RPC: JSON structures, transaction status metadata */
const metaJson = (landed: AgaveLanded): LedgerJson => {
  const err = agaveErrorJson(landed.error);
  return {
    err,
    status: landed.error === undefined ? { Ok: null } : { Err: err },
    fee: landed.fee,
    preBalances: landed.before.lamports,
    postBalances: landed.after.lamports,
    innerInstructions: innerInstructionsJson(landed.inner),
    logMessages: landed.logs,
    preTokenBalances: tokensJson(landed.before),
    postTokenBalances: tokensJson(landed.after),
    rewards: [],
    loadedAddresses: { writable: [], readonly: [] },
    returnData: landed.returned === undefined ? undefined : returnDataJson(landed.returned),
    computeUnitsConsumed: landed.units,
    costUnits: landed.units,
  };
};

/** @returns a refusal if the caller does not understand the transaction's version */
export const versionRefusal = (
  landed: AgaveLanded,
  { maxSupportedTransactionVersion: most }: AgaveTransactionForm,
): AgaveRefusal | undefined => {
  const { version } = landed.transaction.message;
  if (version === "legacy" || (most !== undefined && most >= version)) return undefined;
  return {
    code: AGAVE_CODES.unsupportedVersion,
    message: `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  };
};

/**
 * A transaction in a block's listing with detail "accounts": without its instructions and logs.
 * @source Agave, transaction-status: build_json_accounts, build_simple
 */
export const accountsJson = (
  landed: AgaveLanded,
  { maxSupportedTransactionVersion: most }: AgaveTransactionForm,
): { readonly [key: string]: LedgerJson } => {
  const { message, signatures } = landed.transaction;
  const err = agaveErrorJson(landed.error);
  return {
    transaction: {
      signatures,
      accountKeys: message.keys.map((pubkey, place) => ({
        pubkey,
        writable: isAgaveWritable(message, place),
        signer: place < message.header.signers,
        source: "transaction",
      })),
    },
    meta: {
      err,
      status: landed.error === undefined ? { Ok: null } : { Err: err },
      fee: landed.fee,
      preBalances: landed.before.lamports,
      postBalances: landed.after.lamports,
      preTokenBalances: tokensJson(landed.before),
      postTokenBalances: tokensJson(landed.after),
    },
    version: most === undefined ? undefined : message.version,
  };
};

/** A transaction in a block's full listing. */
export const landedJson = (
  landed: AgaveLanded,
  form: AgaveTransactionForm,
): { readonly [key: string]: LedgerJson } => ({
  transaction: encodedTransaction(landed.transaction, form),
  meta: metaJson(landed),
  version: form.maxSupportedTransactionVersion === undefined ? undefined : landed.transaction.message.version,
});
