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
  /** why a transfer of the token would not do as it says, in words; undefined if it would */
  readonly obstacle: string | undefined;
  /** whether each new account of the token is frozen until the issuer thaws it (DefaultAccountState) */
  readonly freezesNew: boolean;
  /** bytes of an account of the token, as the Associated Token program creates it */
  readonly holdingBytes: number;
}

/** Numbers of extensions (spl-token-2022, extension::ExtensionType). */
const TRANSFER_FEE_CONFIG = 1;
const DEFAULT_ACCOUNT_STATE = 6;
const NON_TRANSFERABLE = 9;
const TRANSFER_HOOK = 14;
const PAUSABLE = 26;

/**
 * Extensions that do not change who receives a transfer. A transfer fee is deducted from the arriving amount, and reported with
 * it; the fee of confidential transfers (ConfidentialTransferFeeConfig) does not apply to ordinary ones.
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

/** Other extensions, with the reason against a transfer. */
const OBSTACLES: ReadonlyMap<number, string> = new Map([
  [NON_TRANSFERABLE, "cannot be transferred (NonTransferable)"],
  [12, "lets somebody take it from everybody (PermanentDelegate)"],
  [TRANSFER_HOOK, "has a program of its own for each transfer (TransferHook)"],
  [PAUSABLE, "is paused (Pausable)"],
]);

const STATE_FROZEN = 2n;
const KEY_BYTES = 32;
/** Bytes of an extension's type and length. */
const HEAD_BYTES = 4;

/**
 * Bytes of extensions in each token account beside ImmutableOwner, by the mint's extension that requires them (spl-token-2022,
 * extension::ExtensionType::get_required_init_account_extensions): TransferFeeAmount, NonTransferableAccount,
 * TransferHookAccount, PausableAccount.
 */
const ACCOUNT_EXTENSION_BYTES: ReadonlyMap<number, number> = new Map([
  [TRANSFER_FEE_CONFIG, HEAD_BYTES + 8],
  [NON_TRANSFERABLE, HEAD_BYTES],
  [TRANSFER_HOOK, HEAD_BYTES + 1],
  [PAUSABLE, HEAD_BYTES],
]);

/**
 * Reads a mint (spl-token, state::Mint; spl-token-2022, extension).
 * @param kind of the program that owns the account
 * @returns undefined for any other account
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

/** A hook without a program has no effect, and a pausable token is harmless while it is not paused. */
const isHarmless = ({ type, value }: TokenExtension): boolean => {
  if (type === TRANSFER_HOOK) return value.slice(KEY_BYTES).every((byte) => byte === 0);
  if (type === PAUSABLE) return value[KEY_BYTES] === 0;
  return HARMLESS.has(type);
};
