import { bytesToNumberLE } from "@noble/curves/utils.js";
import { extensionsIn } from "./extensions.ts";

/** The bytes of a mint without extensions. */
export const MINT_BYTES = 82;
const DECIMALS_AT = 44;
const INITIALISED_AT = 45;

/** What the account of a token says. */
export interface MintAccount {
  readonly decimals: number;
  /** why a transfer of it would not do what it says, in words; undefined when it does */
  readonly obstacle: string | undefined;
}

/** Extensions that change nothing about what a transfer moves, or for whom. */
const HARMLESS: ReadonlyMap<number, string> = new Map([
  [3, "MintCloseAuthority"],
  [4, "ConfidentialTransferMint"],
  [10, "InterestBearingConfig"],
  [18, "MetadataPointer"],
  [19, "TokenMetadata"],
  [20, "GroupPointer"],
  [21, "TokenGroup"],
  [22, "GroupMemberPointer"],
  [23, "TokenGroupMember"],
  [25, "ScaledUiAmount"],
]);
const DEFAULT_ACCOUNT_STATE = 6;
const STATE_INITIALISED = 1;

/** Others, in words. */
const OBSTACLES: ReadonlyMap<number, string> = new Map([
  [1, "takes a fee of each transfer (TransferFeeConfig)"],
  [DEFAULT_ACCOUNT_STATE, "freezes each new account (DefaultAccountState)"],
  [9, "cannot be transferred (NonTransferable)"],
  [12, "lets somebody take it from everybody (PermanentDelegate)"],
  [14, "has a program of its own for each transfer (TransferHook)"],
  [16, "takes a fee of each transfer (ConfidentialTransferFeeConfig)"],
  [26, "can be paused (Pausable)"],
]);

/**
 * Reads the account of a token (spl-token, state::Mint; spl-token-2022, extension).
 * @returns undefined when it is none
 */
export const parseMint = (data: Uint8Array): MintAccount | undefined => {
  const decimals = data[DECIMALS_AT];
  if (data.length < MINT_BYTES || decimals === undefined || data[INITIALISED_AT] !== 1) return undefined;
  const extensions = extensionsIn(data, MINT_BYTES, "mint");
  if (extensions === undefined) return undefined;
  const found = extensions.find(({ type, value }) => !isHarmless(type, value));
  const obstacle =
    found && (OBSTACLES.get(found.type) ?? `has an extension that nobody reads here (${found.type})`);
  return { decimals, obstacle };
};

const isHarmless = (type: number, value: Uint8Array): boolean =>
  HARMLESS.has(type) ||
  (type === DEFAULT_ACCOUNT_STATE && bytesToNumberLE(value) === BigInt(STATE_INITIALISED));
