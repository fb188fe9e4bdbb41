import { authorisedImportSchema } from "@conclave/custody";
import { importSigners, signersListing } from "@conclave/platform";
import { taprootOutputKey } from "@conclave/threshold";
import { describe, expect, test } from "vitest";
import { isPointOfKey, readExport } from "./export-request.ts";
import { readImport } from "./import-request.ts";

/** Points of secp256k1: the generator, its double and its triple. */
const POINTS = [
  "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
  "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
];
const signer = (at: number) => ({
  index: at + 1,
  id: `signer-${at + 1}`,
  address: "127.0.0.1:1",
  identityKey: "",
  encryptionKey: "",
  importKey: `01${POINTS[at]}`,
});
const roster = { clusterId: "test", threshold: 3, signers: [signer(0), signer(1), signer(2)] };
const ids = (signersListing(roster).clusters[0]?.signers ?? []).map(({ signerId }) => signerId);

const share = (signerId: string | undefined, encryptedKeyShare = "AAAA") => ({
  signerId: signerId ?? expect.fail("three signers are listed"),
  encryptedKeyShare,
});
const body = {
  protocol: "CGGMP24",
  curve: "secp256k1",
  minSigners: 3,
  encryptedKeyShares: [share(ids[0]), share(ids[1], "AAAB"), share(ids[2])],
};

describe("a client's import", () => {
  test("gives what to authorise, in the order of clients, and to each signer what is its own", () => {
    const read = readImport(roster, { ...body, encryptedKeyShares: [...body.encryptedKeyShares].reverse() });
    if (!read.ok) expect.fail(read.problem.code);
    const { terms, envelopes } = read.value;
    expect(terms).toMatchObject({ scheme: "ECDSA", protocol: "CGGMP24", curve: "secp256k1", threshold: 3 });
    const raw = terms.shares.map(({ signerId }) => Buffer.from(signerId, "base64").toString("hex"));
    expect(raw).toEqual([...raw].sort());
    expect(terms.shares.map(({ signerId }) => signerId).sort()).toEqual([...ids].sort());
    expect([...envelopes.keys()]).toEqual([1, 2, 3]);
    expect(envelopes.get(importSigners(roster)?.[1]?.party ?? expect.fail())).toEqual(Uint8Array.of(0, 0, 1));
    expect(authorisedImportSchema.safeParse(terms).error?.issues.map(({ path }) => path[0])).not.toContain(
      "shares",
    );
  });

  test.each([
    ["protocol", "ProtocolUnsupported", { protocol: "KU23" }],
    ["protocol", "ProtocolUnsupported", { curve: "stark" }],
    ["minSigners", "ThresholdMismatch", { minSigners: 2 }],
    ["encryptedKeyShares", "SignerMissing", { encryptedKeyShares: body.encryptedKeyShares.slice(1) }],
    ["signerId", "SignerRepeated", { encryptedKeyShares: [share(ids[0]), ...body.encryptedKeyShares] }],
    ["signerId", "SignerUnknown", { encryptedKeyShares: [share("AAAA"), ...body.encryptedKeyShares] }],
    ["signerId", "SignerIdMalformed", { encryptedKeyShares: [share("sig-1"), ...body.encryptedKeyShares] }],
    [
      "encryptedKeyShare",
      "EnvelopeMalformed",
      { encryptedKeyShares: [share(ids[0], "*"), share(ids[1]), share(ids[2])] },
    ],
  ])("is refused for its %s: %s", (field, code, change) => {
    const read = readImport(roster, { ...body, ...change });
    expect(read).toMatchObject({
      ok: false,
      problem: { code: "KeyImportRefused", details: { issues: [{ field, code }] } },
    });
  });

  test("is refused by a cluster that was provisioned before keys could be imported", () => {
    const before = { ...roster, signers: roster.signers.map(({ importKey: _, ...each }) => each) };
    expect(readImport(before, body)).toMatchObject({ ok: false, problem: { code: "KeyImportUnavailable" } });
  });
});

describe("a client's export", () => {
  const encryptionKey = Buffer.from(`01${POINTS[0]}`, "hex").toString("base64");
  const scheme = (protocol: string, curve = "secp256k1") => ({ protocol, curve });

  test("of an ECDSA key is named as the client knows it, and has a chain code if the client knows that", () => {
    const old = readExport("CGGMP24", {
      encryptionKey,
      supportedSchemes: [scheme("CGGMP21"), scheme("FROST", "ed25519")],
    });
    expect(old).toMatchObject({ ok: true, value: { protocol: "CGGMP21", withChainCode: false } });
    const present = readExport("CGGMP24", {
      encryptionKey,
      supportedSchemes: [scheme("CGGMP21"), scheme("CGGMP24")],
    });
    expect(present).toMatchObject({
      ok: true,
      value: {
        protocol: "CGGMP24",
        curve: "secp256k1",
        encryptionKey: `01${POINTS[0]}`,
        withChainCode: true,
      },
    });
  });

  test.each([
    ["FROST-Ed25519", "FROST", "ed25519"],
    ["FROST-Taproot", "FROST_BITCOIN", "secp256k1"],
  ] as const)("of a %s key is of %s", (name, protocol, curve) => {
    const read = readExport(name, { encryptionKey, supportedSchemes: [scheme(protocol, curve)] });
    expect(read).toMatchObject({ ok: true, value: { protocol, curve } });
  });

  test("is refused when the client takes no scheme that the key has, or gives no key", () => {
    expect(
      readExport("CGGMP24", { encryptionKey, supportedSchemes: [scheme("FROST", "ed25519")] }),
    ).toMatchObject({
      problem: { code: "KeyExportRefused", details: { issues: [{ field: "supportedSchemes" }] } },
    });
    expect(
      readExport("CGGMP24", { encryptionKey: "AAAA", supportedSchemes: [scheme("CGGMP24")] }),
    ).toMatchObject({
      problem: { code: "InvalidBody", details: { issues: [{ field: "encryptionKey" }] } },
    });
  });
});

describe("the point that exported shares are of", () => {
  const point = `02${"79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"}`;
  const outputKey = Buffer.from(taprootOutputKey(Buffer.from(point, "hex")) ?? []).toString("hex");

  test.each([
    ["CGGMP24", point, point, true],
    ["CGGMP24", `03${point.slice(2)}`, point, false],
    ["FROST-Ed25519", "ab".repeat(32), "ab".repeat(32), true],
    ["FROST-BIP340", `03${point.slice(2)}`, point.slice(2), true],
    ["FROST-Taproot", point, outputKey, true],
    ["FROST-Taproot", point, point.slice(2), false],
    ["FROST-Taproot", "zz", outputKey, false],
  ] as const)("of a %s key is %s where its row holds %s: %s", (scheme, given, publicKey, isIt) => {
    expect(isPointOfKey(scheme, given, publicKey)).toBe(isIt);
  });
});
