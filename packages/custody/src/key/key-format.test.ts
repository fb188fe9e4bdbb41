import { describe, expect, it, test } from "vitest";
import { BITCOIN_RULES } from "../families/bitcoin/rules.ts";
import { EVM_RULES } from "../families/evm/rules.ts";
import { type FamilyTable, sharesTransactions } from "../families/rules.ts";
import { SOLANA_RULES } from "../families/solana/rules.ts";
import { STELLAR_RULES } from "../families/stellar/rules.ts";
import { TRON_RULES } from "../families/tron/rules.ts";
import { XRPL_RULES } from "../families/xrpl/rules.ts";
import { judgeNetwork, networkSchema } from "../network.ts";
import { judgeKeyFormat } from "./key-format.ts";
import { judgeKeyOptions } from "./key-options.ts";
import { KEY_STORE } from "./key-view.ts";
import { judgeKeyOnNetwork, judgeWalletKeyFormat } from "./wallet-key-format.ts";

const RULES = [BITCOIN_RULES, EVM_RULES, SOLANA_RULES, STELLAR_RULES, TRON_RULES, XRPL_RULES];
const families: FamilyTable = { find: (family) => RULES.find(({ name }) => name === family) };

const network = (name: string) => networkSchema.parse(name);
const madeOf = <T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }) =>
  result.ok ? result.value : undefined;

describe("the format of a new key", () => {
  test.each([
    ["ECDSA", "secp256k1", "ECDSA"],
    ["EdDSA", "ed25519", "FROST-Ed25519"],
    ["Schnorr", "secp256k1", "FROST-Taproot"],
    ["ECDSA", "ed25519", undefined],
    ["ECDSA", "stark", undefined],
    ["EdDSA", "secp256k1", undefined],
    ["Schnorr", "ed25519", undefined],
    ["DH", "secp256k1", undefined],
  ])("%s on %s is made as %s", (scheme, curve, made) => {
    expect(madeOf(judgeKeyFormat({ scheme, curve }))).toBe(made);
  });

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
    expect(madeOf(judgeWalletKeyFormat(families, network(name), asked))).toBe(made);
  });
});

describe("a key that there is", () => {
  it("serves the networks of its format, and no others", () => {
    expect(judgeKeyOnNetwork(families, network("EthereumSepolia"), "ECDSA").ok).toBe(true);
    expect(judgeKeyOnNetwork(families, network("KeyEdDSA"), "FROST-Ed25519").ok).toBe(true);
    expect(judgeKeyOnNetwork(families, network("Bitcoin"), "FROST-Taproot").ok).toBe(true);
    expect(judgeKeyOnNetwork(families, network("Bitcoin"), "FROST-BIP340")).toMatchObject({
      problem: { code: "KeyFormatMismatch" },
    });
    expect(judgeKeyOnNetwork(families, network("EthereumSepolia"), "FROST-Ed25519")).toMatchObject({
      problem: { code: "KeyFormatMismatch" },
    });
  });

  it("is refused when the request says that it is another", () => {
    expect(judgeKeyOnNetwork(families, network("XrpLedger"), "ECDSA", { scheme: "ECDSA" }).ok).toBe(true);
    expect(judgeKeyOnNetwork(families, network("XrpLedger"), "ECDSA", { scheme: "EdDSA" }).ok).toBe(false);
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
    expect(sharesTransactions(families, network(one), network(other))).toBe(shares);
  });

  it("without a chain are served by every cluster, those whose keys nobody makes by none", () => {
    expect(judgeNetwork("KeyECDSA", []).ok).toBe(true);
    expect(judgeNetwork("KeyEdDSA", []).ok).toBe(true);
    expect(judgeNetwork("KeyECDSAStark", [])).toMatchObject({ problem: { code: "NetworkNotEnabled" } });
  });
});

describe("the options of a new key", () => {
  it("name the one store, or none", () => {
    expect(judgeKeyOptions({}).ok).toBe(true);
    expect(judgeKeyOptions({ storeId: KEY_STORE.id, masterKey: false }).ok).toBe(true);
    expect(judgeKeyOptions({ storeId: "ks-1" })).toMatchObject({ problem: { code: "KeyStoreUnknown" } });
  });

  test.each([{ masterKey: true }, { deriveFrom: { keyId: "key" } }])(
    "ask for no derivation: %o",
    (options) => {
      expect(judgeKeyOptions(options)).toMatchObject({ problem: { code: "KeyDerivationNotSupported" } });
    },
  );
});
