import { describe, expect, it, test } from "vitest";
import { familyOf, judgeNetwork, NETWORKS, networkSchema } from "../network.ts";
import { judgeKeyFormat, judgeKeyOnNetwork, judgeWalletKeyFormat, keyFormatsOn } from "./key-format.ts";
import { judgeKeyOptions } from "./key-options.ts";
import { KEY_STORE } from "./key-view.ts";

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
    ["Tezos", { scheme: "ECDSA" }, "ECDSA"],
    ["XrpLedger", { curve: "secp256k1" }, "ECDSA"],
    ["KeyECDSA", {}, "ECDSA"],
    ["KeyEdDSA", {}, "FROST-Ed25519"],
    ["KeyEdDSA", { scheme: "Schnorr" }, undefined],
    ["KeyECDSAStark", {}, undefined],
  ])("for a wallet on %s that asks for %o is %s", (name, asked, made) => {
    expect(madeOf(judgeWalletKeyFormat(network(name), asked))).toBe(made);
  });
});

describe("a key that there is", () => {
  it("serves the networks of its format, and no others", () => {
    expect(judgeKeyOnNetwork(network("EthereumSepolia"), "ECDSA").ok).toBe(true);
    expect(judgeKeyOnNetwork(network("KeyEdDSA"), "FROST-Ed25519").ok).toBe(true);
    expect(judgeKeyOnNetwork(network("Bitcoin"), "FROST-Taproot").ok).toBe(true);
    expect(judgeKeyOnNetwork(network("Bitcoin"), "FROST-BIP340")).toMatchObject({
      problem: { code: "KeyFormatMismatch" },
    });
    expect(judgeKeyOnNetwork(network("EthereumSepolia"), "FROST-Ed25519")).toMatchObject({
      problem: { code: "KeyFormatMismatch" },
    });
  });

  it("is refused when the request says that it is another", () => {
    expect(judgeKeyOnNetwork(network("Tezos"), "ECDSA", { scheme: "ECDSA" }).ok).toBe(true);
    expect(judgeKeyOnNetwork(network("Tezos"), "ECDSA", { scheme: "EdDSA" }).ok).toBe(false);
  });
});

describe("networks", () => {
  it("of EVM chains and of Bitcoin all sign with ECDSA keys", () => {
    const others = NETWORKS.map(network)
      .filter((each) => familyOf(each) === "Evm" || familyOf(each) === "Bitcoin")
      .filter((each) => keyFormatsOn(each)[0]?.scheme !== "ECDSA");
    expect(others).toEqual([]);
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
