import { bytesToNumberLE } from "@noble/curves/utils.js";
import type { SolanaTokenKind } from "../rules/token.ts";
import { extensionsIn, type TokenExtension } from "./extensions.ts";
import { bareHoldingBytes } from "./holding.ts";

/** The bytes of a mint without extensions. */
export const MINT_BYTES = 82;
const DECIMALS_AT = 44;
const INITIALISED_AT = 45;

/** The content of a token's mint. */
export interface MintAccount {
  readonly decimals: number;
  /** why a transfer of it would not do what it says, in words; undefined when it does */
  readonly obstacle: string | undefined;
  /** whether each new account of it is frozen until its issuer thaws it (DefaultAccountState) */
  readonly freezesNew: boolean;
  /** bytes of an account of it that the Associated Token program makes */
  readonly holdingBytes: number;
}

/** Numbers of extensions (spl-token-2022, extension::ExtensionType). */
const TRANSFER_FEE_CONFIG = 1;
const DEFAULT_ACCOUNT_STATE = 6;
const NON_TRANSFERABLE = 9;
const TRANSFER_HOOK = 14;
const PAUSABLE = 26;

/**
 * Extensions that change nothing about who gets what a transfer sends. A fee of each transfer is taken of the
 * arriving amount, and reported with it; a fee of confidential transfers (ConfidentialTransferFeeConfig) is
 * none of this one.
 */
const HARMLESS: ReadonlyMap<number, string> = new Map([
  [TRANSFER_FEE_CONFIG, "TransferFeeConfig"],
  [3, "MintCloseAuthority"],
  [4, "ConfidentialTransferMint"],
  [DEFAULT_ACCOUNT_STATE, "DefaultAccountState"],
  [10, "InterestBearingConfig"],
  [16, "ConfidentialTransferFeeConfig"],
  [18, "MetadataPointer"],
  [19, "TokenMetadata"],
  [20, "GroupPointer"],
  [21, "TokenGroup"],
  [22, "GroupMemberPointer"],
  [23, "TokenGroupMember"],
  [25, "ScaledUiAmount"],
]);

/** Others, in words. */
const OBSTACLES: ReadonlyMap<number, string> = new Map([
  [NON_TRANSFERABLE, "cannot be transferred (NonTransferable)"],
  [12, "lets somebody take it from everybody (PermanentDelegate)"],
  [TRANSFER_HOOK, "has a program of its own for each transfer (TransferHook)"],
  [PAUSABLE, "is paused (Pausable)"],
]);

const STATE_FROZEN = 2n;
const KEY_BYTES = 32;
/** Type and length of an extension. */
const HEAD_BYTES = 4;

/**
 * The extensions of each account of a token beside ImmutableOwner, by the extension of the token that asks for
 * it (spl-token-2022, extension::ExtensionType::get_required_init_account_extensions): TransferFeeAmount,
 * NonTransferableAccount, TransferHookAccount, PausableAccount.
 */
const ACCOUNT_EXTENSION_BYTES: ReadonlyMap<number, number> = new Map([
  [TRANSFER_FEE_CONFIG, HEAD_BYTES + 8],
  [NON_TRANSFERABLE, HEAD_BYTES],
  [TRANSFER_HOOK, HEAD_BYTES + 1],
  [PAUSABLE, HEAD_BYTES],
]);

/**
 * Reads the account of a token (spl-token, state::Mint; spl-token-2022, extension).
 * @param kind of the program that the account belongs to
 * @returns undefined when it is none
 */
export const parseMint = (data: Uint8Array, kind: SolanaTokenKind): MintAccount | undefined => {
  const decimals = data[DECIMALS_AT];
  if (data.length < MINT_BYTES || decimals === undefined || data[INITIALISED_AT] !== 1) return undefined;
  const extensions = extensionsIn(data, MINT_BYTES, "mint");
  if (extensions === undefined) return undefined;
  const found = extensions.find((extension) => !isHarmless(extension));
  const obstacle =
    found && (OBSTACLES.get(found.type) ?? `has an extension that nobody reads here (${found.type})`);
  const freezesNew = extensions.some(
    ({ type, value }) => type === DEFAULT_ACCOUNT_STATE && bytesToNumberLE(value) === STATE_FROZEN,
  );
  const more = extensions.reduce((sum, { type }) => sum + (ACCOUNT_EXTENSION_BYTES.get(type) ?? 0), 0);
  return { decimals, obstacle, freezesNew, holdingBytes: bareHoldingBytes(kind) + more };
};

/** A hook without a program calls none, and what can be paused is not paused yet. */
const isHarmless = ({ type, value }: TokenExtension): boolean => {
  if (type === TRANSFER_HOOK) return value.slice(KEY_BYTES).every((byte) => byte === 0);
  if (type === PAUSABLE) return value[KEY_BYTES] === 0;
  return HARMLESS.has(type);
};
