import { concatBytes } from "@noble/curves/utils.js";
import { address, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { SOLANA_TOKEN_METADATA_PROGRAM, SOLANA_TOKEN_PROGRAM } from "../message/programs.ts";
import { describedSymbol, metadataAccount } from "./metadata.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const WSOL = "So11111111111111111111111111111111111111112";

/** A text as the program stores it, padded with zero bytes. */
const padded = (text: string, length: number): Uint8Array =>
  concatBytes(Uint8Array.of(length, 0, 0, 0), Buffer.from(text.padEnd(length, "\0")));
const key = (text: string) => new Uint8Array(getAddressEncoder().encode(address(text)));
const account = (mint = USDC, kind = 4) => ({
  program: SOLANA_TOKEN_METADATA_PROGRAM,
  data: concatBytes(Uint8Array.of(kind), key(WSOL), key(mint), padded("USD Coin", 32), padded("USDC", 10)),
});

describe("the metadata account of a Solana token", () => {
  it("is at the address that the chain's own library derives", async () => {
    for (const mint of [USDC, WSOL]) {
      const [derived] = await getProgramDerivedAddress({
        programAddress: address(SOLANA_TOKEN_METADATA_PROGRAM),
        seeds: ["metadata", key(SOLANA_TOKEN_METADATA_PROGRAM), key(mint)],
      });
      expect(metadataAccount(mint)).toBe(derived);
    }
  });

  it("says the symbol, without the zero bytes that fill it up", () => {
    expect(describedSymbol(account(), USDC)).toBe("USDC");
  });

  it("says nothing of another mint, of another program, of another kind, or when it is cut short", () => {
    const whole = account();
    expect(describedSymbol(whole, WSOL)).toBeUndefined();
    expect(describedSymbol({ ...whole, program: SOLANA_TOKEN_PROGRAM }, USDC)).toBeUndefined();
    expect(describedSymbol(account(USDC, 6), USDC)).toBeUndefined();
    for (let length = 0; length < whole.data.length; length += 1)
      expect(describedSymbol({ ...whole, data: whole.data.slice(0, length) }, USDC)).toBeUndefined();
  });
});
