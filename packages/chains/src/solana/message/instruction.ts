import { bytesToNumberLE, concatBytes, numberToBytesLE } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { SolanaTokenKind } from "../rules/token.ts";
import { associatedAccount } from "../token/associated-account.ts";
import type { MessageInstruction } from "./message.ts";
import {
  SOLANA_ASSOCIATED_TOKEN_PROGRAM,
  SOLANA_COMPUTE_BUDGET_PROGRAM,
  SOLANA_MEMO_PROGRAM,
  SOLANA_SYSTEM_PROGRAM,
  SOLANA_TOKEN_2022_PROGRAM,
  SOLANA_TOKEN_PROGRAM,
} from "./programs.ts";

/** The instructions that the decoder accepts. */
export type SolanaInstruction =
  /** the transaction's limit of compute units */
  | { readonly kind: "computeLimit"; readonly units: number }
  /** micro-lamports per unit of that limit, used or not */
  | { readonly kind: "computePrice"; readonly price: bigint }
  | { readonly kind: "payment"; readonly from: string; readonly to: string; readonly amount: bigint }
  /** creates the associated token account of an owner, at the payer's cost */
  | {
      readonly kind: "creation";
      readonly token: SolanaTokenKind;
      readonly payer: string;
      readonly owner: string;
      readonly mint: string;
      /** whether the instruction succeeds if the account exists */
      readonly idempotent: boolean;
    }
  | {
      readonly kind: "tokenPayment";
      readonly token: SolanaTokenKind;
      readonly mint: string;
      /** the owner of the paying account, which is the owner's associated account */
      readonly from: string;
      /** the receiving token account */
      readonly destination: string;
      readonly amount: bigint;
      readonly decimals: number;
    }
  | { readonly kind: "memo"; readonly text: string };

const SET_COMPUTE_LIMIT = 2;
const SET_COMPUTE_PRICE = 3;
const TRANSFER = 2;
const TRANSFER_CHECKED = 12;
const CREATE = 0;
const CREATE_IDEMPOTENT = 1;

const le = (value: bigint | number, bytes: number): Uint8Array => numberToBytesLE(BigInt(value), bytes);

export const tokenProgramOf = (token: SolanaTokenKind): string =>
  token === "Spl" ? SOLANA_TOKEN_PROGRAM : SOLANA_TOKEN_2022_PROGRAM;

/** An instruction in its canonical form. */
export const encodeInstruction = (instruction: SolanaInstruction): MessageInstruction => {
  switch (instruction.kind) {
    case "computeLimit": {
      const data = concatBytes(Uint8Array.of(SET_COMPUTE_LIMIT), le(instruction.units, 4));
      return { program: SOLANA_COMPUTE_BUDGET_PROGRAM, accounts: [], data };
    }
    case "computePrice": {
      const data = concatBytes(Uint8Array.of(SET_COMPUTE_PRICE), le(instruction.price, 8));
      return { program: SOLANA_COMPUTE_BUDGET_PROGRAM, accounts: [], data };
    }
    case "payment": {
      const { from, to, amount } = instruction;
      const data = concatBytes(le(TRANSFER, 4), le(amount, 8));
      return { program: SOLANA_SYSTEM_PROGRAM, accounts: [from, to], data };
    }
    case "creation":
      return creation(instruction);
    case "tokenPayment":
      return tokenPayment(instruction);
    case "memo":
      return { program: SOLANA_MEMO_PROGRAM, accounts: [], data: utf8ToBytes(instruction.text) };
  }
};

type Of<Kind> = Extract<SolanaInstruction, { readonly kind: Kind }>;

const creation = ({ token, payer, owner, mint, idempotent }: Of<"creation">): MessageInstruction => ({
  program: SOLANA_ASSOCIATED_TOKEN_PROGRAM,
  accounts: [
    payer,
    associatedAccount({ kind: token, mint }, owner),
    owner,
    mint,
    SOLANA_SYSTEM_PROGRAM,
    tokenProgramOf(token),
  ],
  data: Uint8Array.of(idempotent ? CREATE_IDEMPOTENT : CREATE),
});

const tokenPayment = (paid: Of<"tokenPayment">): MessageInstruction => ({
  program: tokenProgramOf(paid.token),
  accounts: [
    associatedAccount({ kind: paid.token, mint: paid.mint }, paid.from),
    paid.mint,
    paid.destination,
    paid.from,
  ],
  data: concatBytes(Uint8Array.of(TRANSFER_CHECKED), le(paid.amount, 8), Uint8Array.of(paid.decimals)),
});

/** Decodes an instruction. @returns undefined unless the result encodes to the same accounts and bytes */
export const decodeInstruction = (instruction: MessageInstruction): SolanaInstruction | undefined => {
  const read = readInstruction(instruction);
  if (read === undefined) return undefined;
  const { accounts, data } = encodeInstruction(read);
  const isSame =
    sameList(accounts, instruction.accounts) &&
    (sameList([...data], [...instruction.data]) || isOldCreation(read, instruction.data));
  return isSame ? read : undefined;
};

const sameList = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((each, at) => each === other[at]);

/** The original form of a creation has no data bytes. */
const isOldCreation = (read: SolanaInstruction, data: Uint8Array): boolean =>
  read.kind === "creation" && !read.idempotent && data.length === 0;

const readInstruction = (instruction: MessageInstruction): SolanaInstruction | undefined => {
  switch (instruction.program) {
    case SOLANA_COMPUTE_BUDGET_PROGRAM:
      return readComputeBudget(instruction.data);
    case SOLANA_SYSTEM_PROGRAM:
      return readPayment(instruction);
    case SOLANA_ASSOCIATED_TOKEN_PROGRAM:
      return readCreation(instruction);
    case SOLANA_TOKEN_PROGRAM:
      return readTokenPayment("Spl", instruction);
    case SOLANA_TOKEN_2022_PROGRAM:
      return readTokenPayment("Spl2022", instruction);
    case SOLANA_MEMO_PROGRAM:
      return readMemo(instruction.data);
    default:
      return undefined;
  }
};

const readComputeBudget = (data: Uint8Array): SolanaInstruction | undefined => {
  const [tag] = data;
  const value = bytesToNumberLE(data.slice(1));
  if (tag === SET_COMPUTE_LIMIT && data.length === 5) return { kind: "computeLimit", units: Number(value) };
  return tag === SET_COMPUTE_PRICE && data.length === 9 ? { kind: "computePrice", price: value } : undefined;
};

const readPayment = ({ accounts, data }: MessageInstruction): SolanaInstruction | undefined => {
  const [from, to] = accounts;
  if (from === undefined || to === undefined || data.length !== 12) return undefined;
  return bytesToNumberLE(data.slice(0, 4)) === BigInt(TRANSFER)
    ? { kind: "payment", from, to, amount: bytesToNumberLE(data.slice(4)) }
    : undefined;
};

const readCreation = ({ accounts, data }: MessageInstruction): SolanaInstruction | undefined => {
  const [payer, , owner, mint, , program] = accounts;
  const [tag = CREATE] = data;
  if (payer === undefined || owner === undefined || mint === undefined || data.length > 1) return undefined;
  if (program !== SOLANA_TOKEN_PROGRAM && program !== SOLANA_TOKEN_2022_PROGRAM) return undefined;
  const token = program === SOLANA_TOKEN_PROGRAM ? "Spl" : "Spl2022";
  return { kind: "creation", token, payer, owner, mint, idempotent: tag === CREATE_IDEMPOTENT };
};

const readTokenPayment = (
  token: SolanaTokenKind,
  { accounts, data }: MessageInstruction,
): SolanaInstruction | undefined => {
  const [, mint, destination, from] = accounts;
  const decimals = data[9];
  if (mint === undefined || destination === undefined || from === undefined) return undefined;
  if (data[0] !== TRANSFER_CHECKED || decimals === undefined || data.length !== 10) return undefined;
  const amount = bytesToNumberLE(data.slice(1, 9));
  return { kind: "tokenPayment", token, mint, from, destination, amount, decimals };
};

/** The Memo program accepts only UTF-8. */
const readMemo = (data: Uint8Array): SolanaInstruction | undefined => {
  try {
    return { kind: "memo", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data) };
  } catch {
    return undefined;
  }
};
