import { describe, expect, it, test } from "vitest";
import { judgeKeyFormat } from "./key-format.ts";
import { judgeKeyOptions } from "./key-options.ts";
import { KEY_STORE } from "./key-view.ts";

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
    const judged = judgeKeyFormat({ scheme, curve });
    expect(judged.ok ? judged.value : undefined).toBe(made);
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
