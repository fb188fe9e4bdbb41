import { base58, base64 } from "@scure/base";
import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import type { AgaveAccount } from "../account.ts";
import { type AgaveAddress, TOKEN_2022_PROGRAM } from "../address.ts";
import { readAgaveMint, readAgaveTokenAccount } from "../token/token-account.ts";
import { agaveTokenAmount } from "../token/token-amount.ts";

export const accountEncodingParameter = z.enum(["base58", "base64", "jsonParsed"]).default("base64");
export type AgaveAccountEncoding = z.output<typeof accountEncodingParameter>;

export const dataSliceParameter = z
  .looseObject({ offset: z.int().min(0), length: z.int().min(0) })
  .optional();

/** The rent epoch of a rent-exempt account: the maximum. */
const NO_RENT_EPOCH = 2n ** 64n - 1n;
/** A node encodes at most this many bytes in base58. */
const BASE58_BYTES_MAX = 128;

export interface AgaveAccountForm {
  readonly encoding: AgaveAccountEncoding;
  readonly dataSlice: z.output<typeof dataSliceParameter>;
  /** for the mint of a token account */
  readonly accountOf: (address: AgaveAddress) => AgaveAccount | undefined;
}

/** @source Agave, account-decoder/src/parse_token.rs */
const parsedToken = (account: AgaveAccount, { accountOf }: AgaveAccountForm): LedgerJson | undefined => {
  const mint = readAgaveMint(account);
  if (mint !== undefined) {
    return {
      type: "mint",
      info: {
        mintAuthority: mint.mintAuthority ?? null,
        supply: mint.supply.toString(),
        decimals: mint.decimals,
        isInitialized: mint.isInitialized,
        freezeAuthority: mint.freezeAuthority ?? null,
      },
    };
  }
  const held = readAgaveTokenAccount(account);
  const decimals = held && readAgaveMint(accountOf(held.mint))?.decimals;
  if (held === undefined || decimals === undefined) return undefined;
  return {
    type: "account",
    info: {
      mint: held.mint,
      owner: held.owner,
      tokenAmount: agaveTokenAmount(held.amount, decimals),
      state: held.state,
      isNative: held.isNative,
    },
  };
};

const dataJson = (account: AgaveAccount, form: AgaveAccountForm): LedgerJson => {
  const { dataSlice: slice, encoding } = form;
  if (encoding === "jsonParsed") {
    const parsed = parsedToken(account, form);
    const program = account.owner === TOKEN_2022_PROGRAM ? "spl-token-2022" : "spl-token";
    if (parsed !== undefined) return { program, parsed, space: account.data.length };
  }
  const data =
    slice === undefined ? account.data : account.data.slice(slice.offset, slice.offset + slice.length);
  if (encoding === "base58") {
    const text =
      data.length > BASE58_BYTES_MAX ? "error: data too large for bs58 encoding" : base58.encode(data);
    return [text, "base58"];
  }
  return [base64.encode(data), "base64"];
};

/** An account, or null where there is none. @source Agave, account-decoder: UiAccount */
export const agaveAccountJson = (account: AgaveAccount | undefined, form: AgaveAccountForm): LedgerJson =>
  account === undefined
    ? null
    : {
        lamports: account.lamports,
        data: dataJson(account, form),
        owner: account.owner,
        executable: account.executable,
        rentEpoch: NO_RENT_EPOCH,
        space: account.data.length,
      };
