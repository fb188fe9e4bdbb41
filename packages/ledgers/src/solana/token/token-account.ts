import type { AgaveAccount } from "../account.ts";
import { type AgaveAddress, agaveAddressOf, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../address.ts";

/** Bytes of a mint and of a token account, without extensions. @source solana-program/token, interface: state */
const MINT_BYTES = 82;
const TOKEN_ACCOUNT_BYTES = 165;
/** The type byte that Token-2022 puts behind the base data of a mint or token account with extensions. */
const MINT_TYPE = 1;
const TOKEN_ACCOUNT_TYPE = 2;

export interface AgaveMint {
  readonly supply: bigint;
  readonly decimals: number;
  readonly isInitialized: boolean;
  readonly mintAuthority: AgaveAddress | undefined;
  readonly freezeAuthority: AgaveAddress | undefined;
}

export interface AgaveTokenAccount {
  readonly mint: AgaveAddress;
  readonly owner: AgaveAddress;
  readonly amount: bigint;
  readonly state: "uninitialized" | "initialized" | "frozen";
  readonly isNative: boolean;
}

const STATES = ["uninitialized", "initialized", "frozen"] as const;

const viewOf = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength);

const isAgaveToken = (program: AgaveAddress): boolean =>
  program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;

const isOfType = (data: Uint8Array, bytes: number, type: number): boolean =>
  data.length === bytes || (data.length > TOKEN_ACCOUNT_BYTES && data[TOKEN_ACCOUNT_BYTES] === type);

const optionalAddress = (data: Uint8Array, at: number): AgaveAddress | undefined =>
  viewOf(data).getUint32(at, true) === 1 ? agaveAddressOf(data.slice(at + 4, at + 36)) : undefined;

/** @returns undefined if the account is not a mint */
export const readAgaveMint = (account: AgaveAccount | undefined): AgaveMint | undefined => {
  if (account === undefined || !isAgaveToken(account.owner)) return undefined;
  const { data } = account;
  if (!isOfType(data, MINT_BYTES, MINT_TYPE)) return undefined;
  return {
    mintAuthority: optionalAddress(data, 0),
    supply: viewOf(data).getBigUint64(36, true),
    decimals: data[44] ?? 0,
    isInitialized: data[45] === 1,
    freezeAuthority: optionalAddress(data, 46),
  };
};

/** @returns undefined if the account is not a token account */
export const readAgaveTokenAccount = (account: AgaveAccount | undefined): AgaveTokenAccount | undefined => {
  if (account === undefined || !isAgaveToken(account.owner)) return undefined;
  const { data } = account;
  const state = STATES[data[108] ?? 0];
  if (!isOfType(data, TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_TYPE) || state === undefined) return undefined;
  return {
    mint: agaveAddressOf(data.slice(0, 32)),
    owner: agaveAddressOf(data.slice(32, 64)),
    amount: viewOf(data).getBigUint64(64, true),
    state,
    isNative: viewOf(data).getUint32(109, true) === 1,
  };
};
