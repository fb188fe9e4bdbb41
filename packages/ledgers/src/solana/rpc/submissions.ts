import { base58, base64 } from "@scure/base";
import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import type { AgaveEffect } from "../advance.ts";
import { AGAVE_BLOCKHASH_AGE_MAX } from "../blockhashes.ts";
import { simulateAgave } from "../carry-out.ts";
import type { AgaveOutcome } from "../engine/engine.ts";
import { AGAVE_CODES } from "../refusal.ts";
import { type AgaveState, agaveAccountAt, agaveBlockAt } from "../state.ts";
import { AGAVE_NOT_SIGNED, readSubmittedAgave } from "../submission.ts";
import { isAgaveSigned } from "../wire/signatures.ts";
import { AGAVE_TRANSACTION_BYTES_MAX, type AgaveTransaction } from "../wire/transaction.ts";
import { accountEncodingParameter, agaveAccountJson } from "./account-json.ts";
import {
  type AgaveAnswer,
  type AgaveMethod,
  type AgaveView,
  addressParameter,
  agaveMethod,
  agaveRefused,
  agaveResult,
  atAgaveContext,
  commitmentParameter,
  contextParameter,
  contextShape,
  inAgaveContext,
} from "./method.ts";
import { agaveOutcomeJson, innerInstructionsJson } from "./outcome-json.ts";

/** Length of the longest transaction in base58, which is longer than base64. */
const CHARACTERS_MAX = 1_683;
const MOST_ACCOUNTS_SHOWN = 64;

const encodingParameter = z.enum(["base58", "base64"]).default("base58");

/** @returns undefined if the text is too long, or not in this encoding */
const bytesOf = (text: string, encoding: "base58" | "base64"): Uint8Array | undefined => {
  if (text.length > CHARACTERS_MAX) return undefined;
  try {
    const bytes = (encoding === "base58" ? base58 : base64).decode(text);
    return bytes.length > AGAVE_TRANSACTION_BYTES_MAX ? undefined : bytes;
  } catch {
    return undefined;
  }
};

const notDecoded = (encoding: string): AgaveAnswer =>
  agaveRefused(
    AGAVE_CODES.invalidParams,
    `invalid ${encoding} encoding, or longer than ${AGAVE_TRANSACTION_BYTES_MAX} bytes`,
  );

const ofSubmission = (effect: AgaveEffect | undefined): AgaveAnswer => {
  if (effect === undefined || effect.kind === "mined") throw new Error("a submission has an outcome");
  if (effect.replyIsLost) return { kind: "lost" };
  return effect.kind === "taken"
    ? agaveResult(effect.signature)
    : agaveRefused(effect.refusal.code, effect.refusal.message, effect.refusal.data);
};

const simulationOptions = z
  .looseObject({
    ...contextShape,
    encoding: encodingParameter,
    sigVerify: z.boolean().default(false),
    replaceRecentBlockhash: z.boolean().default(false),
    innerInstructions: z.boolean().default(false),
    accounts: z
      .looseObject({
        addresses: z.array(addressParameter).max(MOST_ACCOUNTS_SHOWN),
        encoding: accountEncodingParameter,
      })
      .optional(),
  })
  .refine(
    ({ sigVerify, replaceRecentBlockhash }) => !(sigVerify && replaceRecentBlockhash),
    "sigVerify may not be used with replaceRecentBlockhash",
  )
  .prefault({});

type SimulationOptions = z.output<typeof simulationOptions>;

/** The accounts that the caller selected, in their state after the simulation. */
const accountsJson = (
  { engine, state }: AgaveView,
  { changes }: AgaveOutcome,
  { accounts, commitment }: SimulationOptions,
): LedgerJson => {
  if (accounts === undefined) return null;
  const block = agaveBlockAt(state, commitment);
  const accountOf = (address: (typeof accounts.addresses)[number]) =>
    changes.has(address)
      ? changes.get(address)
      : (agaveAccountAt(state, block, address) ?? engine.builtin(address));
  const form = { encoding: accounts.encoding, dataSlice: undefined, accountOf };
  return accounts.addresses.map((address) => agaveAccountJson(accountOf(address), form));
};

const replacement = (
  state: AgaveState,
  { commitment, replaceRecentBlockhash }: SimulationOptions,
): LedgerJson => {
  if (!replaceRecentBlockhash) return null;
  const { blockhash, height } = agaveBlockAt(state, commitment);
  return { blockhash, lastValidBlockHeight: height + AGAVE_BLOCKHASH_AGE_MAX };
};

const simulated = (
  ledger: AgaveView,
  transaction: AgaveTransaction,
  options: SimulationOptions,
): AgaveAnswer =>
  atAgaveContext(ledger.state, options, (block) => {
    if (options.sigVerify && !isAgaveSigned(transaction)) {
      return agaveRefused(AGAVE_NOT_SIGNED.code, AGAVE_NOT_SIGNED.message);
    }
    const checks = { blockhash: !options.replaceRecentBlockhash };
    const outcome = simulateAgave(ledger.engine, ledger.state, block, transaction, checks);
    return inAgaveContext(
      block,
      agaveOutcomeJson(outcome, {
        accounts: accountsJson(ledger, outcome, options),
        innerInstructions: options.innerInstructions ? innerInstructionsJson(outcome.inner) : null,
        replacementBlockhash: replacement(ledger.state, options),
      }),
    );
  });

/** @source Solana documentation, RPC: HTTP methods */
export const AGAVE_SUBMISSION_METHODS: Readonly<Record<string, AgaveMethod>> = {
  sendTransaction: agaveMethod(
    {
      transaction: z.string(),
      options: z
        .looseObject({
          encoding: encodingParameter,
          skipPreflight: z.boolean().default(false),
          preflightCommitment: commitmentParameter,
          minContextSlot: z.int().min(0).optional(),
          maxRetries: z.int().min(0).optional(),
        })
        .prefault({}),
    },
    (ledger, { transaction, options }) => {
      const { encoding, skipPreflight, preflightCommitment: commitment, minContextSlot } = options;
      const bytes = bytesOf(transaction, encoding);
      if (bytes === undefined) return notDecoded(encoding);
      return atAgaveContext(ledger.state, { commitment, minContextSlot }, () =>
        ofSubmission(ledger.apply({ kind: "submit", bytes, skipPreflight, commitment })[0]),
      );
    },
  ),
  simulateTransaction: agaveMethod(
    { transaction: z.string(), options: simulationOptions },
    (ledger, { transaction, options }) => {
      const bytes = bytesOf(transaction, options.encoding);
      if (bytes === undefined) return notDecoded(options.encoding);
      const read = readSubmittedAgave(bytes);
      return "code" in read ? agaveRefused(read.code, read.message) : simulated(ledger, read, options);
    },
  ),
  requestAirdrop: agaveMethod(
    { address: addressParameter, lamports: z.int().min(1), options: contextParameter },
    (ledger, { address, lamports }) =>
      ofSubmission(ledger.apply({ kind: "fund", address, lamports: BigInt(lamports) })[0]),
  ),
};
