import { bytesToNumberLE } from "@noble/curves/utils.js";
import { solanaAddress } from "../rules/address.ts";
import type { SolanaTokenKind } from "../rules/token.ts";
import { extensionsIn } from "./extensions.ts";

const ACCOUNT_BYTES = 165;
const MINT_AT = 0;
const OWNER_AT = 32;
const AMOUNT_AT = 64;
const STATE_AT = 108;
const FROZEN = 2;

/** The content of a token account. */
export interface SolanaHolding {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly isFrozen: boolean;
}

/**
 * Bytes of a token account that the Associated Token program creates, for a token without extensions: on Token-2022 it always
 * has the extension ImmutableOwner.
 */
export const bareHoldingBytes = (kind: SolanaTokenKind): number => (kind === "Spl" ? ACCOUNT_BYTES : 170);

/**
 * Reads a token account (spl-token, state::Account).
 * @returns undefined for any other account, or one not in use
 */
export const parseHolding = (data: Uint8Array): SolanaHolding | undefined => {
  const state = data[STATE_AT];
  if (data.length < ACCOUNT_BYTES || state === undefined || state === 0) return undefined;
  if (extensionsIn(data, ACCOUNT_BYTES, "holding") === undefined) return undefined;
  return {
    mint: solanaAddress(data.slice(MINT_AT, OWNER_AT)),
    owner: solanaAddress(data.slice(OWNER_AT, AMOUNT_AT)),
    amount: bytesToNumberLE(data.slice(AMOUNT_AT, AMOUNT_AT + 8)),
    isFrozen: state === FROZEN,
  };
};

/**
 * Bytes of a multisig account (spl-token, state::Multisig): several keys sign for tokens by it, and it may own token accounts.
 */
const MULTISIG_BYTES = 355;
const MULTISIG_INITIALISED_AT = 2;

export const isTokenMultisig = (data: Uint8Array): boolean =>
  data.length === MULTISIG_BYTES && data[MULTISIG_INITIALISED_AT] === 1;
