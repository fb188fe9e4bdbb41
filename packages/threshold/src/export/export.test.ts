import { bytesToUtf8 } from "@noble/ciphers/utils.js";
import { hexToNumber } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { type GroupPoint, multiplyGenerator, scalarOf } from "../curve.ts";
import { encodeBase64 } from "../import/base64.ts";
import { importEncryptionKeyOf } from "../import/encryption-key.ts";
import { openImportEnvelope } from "../import/envelope.ts";
import { importedScheme } from "../import/request.ts";
import { CGGMP24, FROST_BIP340, FROST_ED25519, FROST_TAPROOT, type Scheme } from "../scheme.ts";
import { lagrangeAtZero } from "../sharing/lagrange.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureDecryptionKey } from "../testing/insecure-import-client.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { exportedScheme, sealExportedShare } from "./export.ts";

const client = insecureDecryptionKey(testParty(9));
const encryptionKey = importEncryptionKeyOf(client);
const entropy = seededEntropy("export");

/** The content of an envelope, opened with the client's key. */
const textOf = (envelope: Uint8Array | undefined): string => {
  const opened = openImportEnvelope(envelope ?? expect.fail("not sealed"), client);
  return opened.ok ? bytesToUtf8(opened.value.reveal()) : expect.fail(opened.reason);
};

const SHARE =
  /^\{"version":1,"index":\{"curve":"(\w+)","scalar":"([0-9a-f]{64})"\},"secret_share":\{"curve":"\1","scalar":"([0-9a-f]{64})"\}\}$/;

const checkScheme = <P extends GroupPoint<P>>(scheme: Scheme<P>): void => {
  const { curve } = scheme;
  const shares = [...insecureSchemeShares(scheme, 3, testParties(5)).values()];

  it("gives the client shares, any three of which interpolate to the key", () => {
    const found = shares.map((share) => {
      const text = textOf(sealExportedShare({ share, encryptionKey, withChainCode: false }, entropy));
      const [, name, index = "", scalar = ""] = SHARE.exec(text) ?? expect.fail(text);
      expect(name).toBe(curve.name);
      return { at: hexToNumber(index), value: hexToNumber(scalar) };
    });
    expect(found.map(({ at }) => at)).toEqual([1n, 2n, 3n, 4n, 5n]);
    for (const quorum of [
      found.slice(0, 3),
      found.slice(2),
      [found[0], found[2], found[4]].flatMap((s) => s ?? []),
    ]) {
      const lambda = lagrangeAtZero(
        curve,
        quorum.map(({ at }) => at),
      );
      const key = scalarOf(
        curve,
        quorum.reduce((sum, { value }, i) => sum + (lambda[i] ?? 0n) * value, 0n),
      );
      expect(shares[0]?.info.publicKey.equals(multiplyGenerator(curve, key))).toBe(true);
    }
  });
};

describe("the export of an ECDSA key", () => checkScheme(CGGMP24));
describe("the export of an Ed25519 key", () => checkScheme(FROST_ED25519));
describe("the export of a Taproot key", () => checkScheme(FROST_TAPROOT));

describe("an exported share", () => {
  const share = insecureSchemeShares(CGGMP24, 2, testParties(2)).get(testParty(1)) ?? expect.fail();

  it("is as long as an independent client expects, on secp256k1", () => {
    expect(sealExportedShare({ share, encryptionKey, withChainCode: false }, entropy)?.length).toBe(281);
  });

  it("has the chain code when it is asked for", () => {
    const text = textOf(sealExportedShare({ share, encryptionKey, withChainCode: true }, entropy));
    expect(text.endsWith(`,"chain_code":"${encodeBase64(share.info.chainCode)}"}`)).toBe(true);
  });

  it("INV-10 is not sealed to what is no encryption key", () => {
    for (const bytes of [new Uint8Array(34), encryptionKey.subarray(1), new Uint8Array(0)]) {
      expect(
        sealExportedShare({ share, encryptionKey: bytes, withChainCode: false }, entropy),
      ).toBeUndefined();
    }
  });

  it("INV-10 opens for the client and no signer", () => {
    const envelope =
      sealExportedShare({ share, encryptionKey, withChainCode: false }, entropy) ?? expect.fail();
    expect(openImportEnvelope(envelope, insecureDecryptionKey(testParty(1))).ok).toBe(false);
  });
});

describe("the name under which a key leaves", () => {
  const [old, present] = [
    { protocol: "CGGMP21", curve: "secp256k1" },
    { protocol: "CGGMP24", curve: "secp256k1" },
  ];
  const others = [
    { protocol: "FROST", curve: "ed25519" },
    { protocol: "FROST_BITCOIN", curve: "secp256k1" },
  ];

  it("is the present one, or an older one that the client knows", () => {
    expect(exportedScheme("CGGMP24", [old, present])).toEqual(present);
    expect(exportedScheme("CGGMP24", [...others, old])).toEqual(old);
  });

  it("is none when the client knows none", () => {
    expect(exportedScheme("CGGMP24", others)).toBeUndefined();
    expect(exportedScheme("FROST-Ed25519", [old, { protocol: "FROST", curve: "secp256k1" }])).toBeUndefined();
  });

  it("is that of Taproot keys for a key that an older version made to sign untweaked", () => {
    expect(exportedScheme(FROST_BIP340.name, [old, ...others])).toEqual(others[1]);
  });

  it("imports to the scheme that it left from", () => {
    for (const { name } of [CGGMP24, FROST_ED25519, FROST_TAPROOT]) {
      const { protocol, curve } = exportedScheme(name, [old, ...others]) ?? expect.fail();
      expect(importedScheme(protocol, curve)).toBe(name);
    }
  });
});
