import { concatBytes } from "@noble/curves/utils.js";
import { address, none, some } from "@solana/kit";
import { getMintEncoder, getTokenEncoder } from "@solana-program/token";
import { SOLANA_MINT, SOLANA_RECIPIENT } from "./solana-samples.ts";

/** A mint account as its own library writes it, followed by its extensions. */
export const solanaMintData = (...extensions: readonly Uint8Array[]): Uint8Array => {
  const bare = getMintEncoder().encode({
    mintAuthority: none(),
    supply: 1_000_000_000n,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: some(address(SOLANA_RECIPIENT)),
  });
  const padding = new Uint8Array(165 - bare.length);
  return extensions.length === 0
    ? Uint8Array.from(bare)
    : concatBytes(Uint8Array.from(bare), padding, Uint8Array.of(1), ...extensions);
};
/** An extension of Token-2022. */
export const solanaExtension = (type: number, value: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(type, 0, value.length, 0), value);
/** A token account of the samples' mint, as its own library writes it. @param state 2: frozen */
export const solanaHoldingData = (owner: string, amount: bigint, state = 1): Uint8Array =>
  Uint8Array.from(
    getTokenEncoder().encode({
      mint: address(SOLANA_MINT),
      owner: address(owner),
      amount,
      delegate: none(),
      state,
      isNative: none(),
      delegatedAmount: 0n,
      closeAuthority: none(),
    }),
  );
