import { ok, type Result } from "@conclave/custody";
import { keylessRecipient } from "../rules/unsuitable-recipient.ts";
import { tokenProgramOf } from "./message/instruction.ts";
import {
  SOLANA_SYSTEM_PROGRAM,
  SOLANA_TOKEN_2022_PROGRAM,
  SOLANA_TOKEN_PROGRAM,
} from "./message/programs.ts";
import type { SolanaTransfer } from "./rules/act.ts";
import { isTokenMultisig, parseHolding } from "./token/holding.ts";
import { parseMint } from "./token/mint.ts";

/** The chain's data of a recipient. A missing account counts as an empty one of the System program. */
export interface SolanaRecipient {
  /** the program that owns the account */
  readonly program: string;
  readonly data: Uint8Array;
  /** whether the account is itself a program */
  readonly executable: boolean;
}

/** Programs of the chain itself, with the kind of their accounts: nobody can spend funds sent to such an account. */
const ACCOUNTS_OF: ReadonlyMap<string, string> = new Map([
  ["Vote111111111111111111111111111111111111111", "a vote account"],
  ["Stake11111111111111111111111111111111111111", "a stake account"],
  ["Config1111111111111111111111111111111111111", "an account of the Config program"],
  ["AddressLookupTab1e1111111111111111111111111", "an address lookup table"],
  ["NativeLoader1111111111111111111111111111111", "a program"],
  ["BPFLoader1111111111111111111111111111111111", "a program"],
  ["BPFLoader2111111111111111111111111111111111", "a program"],
  ["BPFLoaderUpgradeab1e11111111111111111111111", "the code of a program"],
  ["LoaderV411111111111111111111111111111111111", "the code of a program"],
  ["Feature111111111111111111111111111111111111", "a feature of the chain"],
  ["Sysvar1111111111111111111111111111111111111", "a sysvar, which the chain writes"],
]);

/**
 * @returns the kind of a token program's account, in words; undefined for a multisig account that can own the transferred
 * tokens
 */
const tokenAccountWords = (
  { program, data }: SolanaRecipient,
  transfer: SolanaTransfer,
): string | undefined => {
  const kind = program === SOLANA_TOKEN_PROGRAM ? "Spl" : "Spl2022";
  const holding = parseHolding(data);
  if (holding !== undefined) {
    return `an account of the token ${holding.mint}, whose owner is ${holding.owner}: name the owner`;
  }
  if (parseMint(data, kind) !== undefined) return "a token (its mint), and no account of anybody's";
  const isOwner =
    transfer.kind !== "Native" && tokenProgramOf(transfer.kind) === program && isTokenMultisig(data);
  return isOwner ? undefined : "an account of a token program";
};

const wordsOf = (account: SolanaRecipient, transfer: SolanaTransfer): string | undefined => {
  const { program, data, executable } = account;
  if (executable) return "a program";
  if (program === SOLANA_SYSTEM_PROGRAM) return data.length === 0 ? undefined : "a nonce account";
  const known = ACCOUNTS_OF.get(program);
  if (known !== undefined) return known;
  if (program === SOLANA_TOKEN_PROGRAM || program === SOLANA_TOKEN_2022_PROGRAM) {
    return tokenAccountWords(account, transfer);
  }
  // other programs can sign for tokens of their accounts; lamports in such an account can leave only by its program's
  // instructions, if at all
  return transfer.kind === "Native" ? `an account of the program ${program}` : undefined;
};

/**
 * Judges, by the chain's data of a recipient, whether anybody could use the transferred asset. Nobody can sign for a program, a
 * token mint or a token account. A missing account, or an empty one of the System program, may have a key, or a program that
 * signs for it, as multisig vaults do.
 * @returns RecipientUnsuitable
 */
export const judgeSolanaRecipient = (account: SolanaRecipient, transfer: SolanaTransfer): Result<void> => {
  const words = wordsOf(account, transfer);
  return words === undefined ? ok(undefined) : keylessRecipient(transfer.to, words);
};
