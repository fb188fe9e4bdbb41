import {
  judgeKeyOnNetwork,
  judgeWalletKeyFormat,
  networkSchema,
  sharesTransactions,
} from "@conclave/custody";
import { describe, expect, it, test } from "vitest";
import { FAMILIES } from "../registry.ts";

const network = (name: string) => networkSchema.parse(name);
const madeOf = <T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }) =>
  result.ok ? result.value : undefined;

describe("the format of a new key", () => {
  test.each([
    ["EthereumSepolia", {}, "ECDSA"],
    ["EthereumSepolia", { scheme: "EdDSA" }, undefined],
    ["EthereumSepolia", { curve: "ed25519" }, undefined],
    ["Bitcoin", {}, "ECDSA"],
    ["Bitcoin", { scheme: "Schnorr" }, "FROST-Taproot"],
    ["Solana", {}, "FROST-Ed25519"],
    ["Solana", { scheme: "ECDSA" }, undefined],
    ["XrpLedger", {}, "FROST-Ed25519"],
    ["XrpLedger", { scheme: "ECDSA" }, "ECDSA"],
    ["Tezos", { scheme: "ECDSA" }, undefined],
    ["XrpLedger", { curve: "secp256k1" }, "ECDSA"],
    ["KeyECDSA", {}, "ECDSA"],
    ["KeyEdDSA", {}, "FROST-Ed25519"],
    ["KeyEdDSA", { scheme: "Schnorr" }, undefined],
    ["KeyECDSAStark", {}, undefined],
  ])("for a wallet on %s that asks for %o is %s", (name, asked, made) => {
    expect(madeOf(judgeWalletKeyFormat(FAMILIES, network(name), asked))).toBe(made);
  });
});

describe("a key that there is", () => {
  it("serves the networks of its format, and no others", () => {
    expect(judgeKeyOnNetwork(FAMILIES, network("EthereumSepolia"), "ECDSA").ok).toBe(true);
    expect(judgeKeyOnNetwork(FAMILIES, network("KeyEdDSA"), "FROST-Ed25519").ok).toBe(true);
    expect(judgeKeyOnNetwork(FAMILIES, network("Bitcoin"), "FROST-Taproot").ok).toBe(true);
    expect(judgeKeyOnNetwork(FAMILIES, network("Bitcoin"), "FROST-BIP340")).toMatchObject({
      problem: { code: "KeyFormatMismatch" },
    });
    expect(judgeKeyOnNetwork(FAMILIES, network("EthereumSepolia"), "FROST-Ed25519")).toMatchObject({
      problem: { code: "KeyFormatMismatch" },
    });
  });

  it("is refused when the request says that it is another", () => {
    expect(judgeKeyOnNetwork(FAMILIES, network("XrpLedger"), "ECDSA", { scheme: "ECDSA" }).ok).toBe(true);
    expect(judgeKeyOnNetwork(FAMILIES, network("XrpLedger"), "ECDSA", { scheme: "EdDSA" }).ok).toBe(false);
  });
});

describe("networks", () => {
  it.each([
    ["Bitcoin", "BitcoinTestnet3", true],
    ["Solana", "SolanaDevnet", true],
    ["XrpLedger", "XrpLedgerTestnet", true],
    ["Tron", "TronNile", true],
    ["Bitcoin", "XrpLedger", false],
    ["XrpLedger", "Ethereum", false],
    ["Ethereum", "EthereumSepolia", false],
    ["Stellar", "StellarTestnet", false],
    ["KeyECDSA", "KeyEdDSA", false],
    ["Ethereum", "Ethereum", true],
  ])("INV-3 %s and %s serve a key both unless what is signed names none: %s", (one, other, shares) => {
    expect(sharesTransactions(FAMILIES, network(one), network(other))).toBe(shares);
  });
});
