import { verify } from "node:crypto";
import { authorisedImportSchema, keyIdSchema, type Operation, problem } from "@conclave/custody";
import { activateKeyImport, readKey, readKeyImport, readWalletByExternalId } from "@conclave/platform";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf, walletOf } from "../testing/bodies.ts";
import { signedCaller } from "../testing/signed-actions.ts";
import { ACTIVATED, ADDRESS, type Answer, PUBLIC_KEY, startWorld, type World } from "../testing/world.ts";

const network = "EthereumSepolia";
const listingSchema = z.object({
  clusters: z.tuple([z.object({ signers: z.array(z.object({ signerId: z.string() })) })]),
});
const signedSchema = z.looseObject({ signingKey: z.looseObject({ id: keyIdSchema }) });

let world: World;
let signed: World["call"];
/** ids of all signers, as GET /signers lists them */
let ids: readonly string[];
beforeAll(async () => {
  world = await startWorld();
  signed = await signedCaller(world);
  const { body } = await world.call("GET", "/signers");
  ids = listingSchema.parse(body).clusters[0].signers.map(({ signerId }) => signerId);
});
beforeEach(() => activateKeyImport(world.database, world.caller.orgId, true));
afterEach(() => world.script(ACTIVATED));
afterAll(() => world.stop());

const sharesOf = (encryptedKeyShare = "AAAA") => ids.map((signerId) => ({ signerId, encryptedKeyShare }));
const brought = (change: Readonly<Record<string, unknown>> = {}) => ({
  protocol: "CGGMP24",
  curve: "secp256k1",
  minSigners: 3,
  encryptedKeyShares: sharesOf(),
  ...change,
});
const importWallet = (change: Readonly<Record<string, unknown>> = {}) =>
  signed("POST", "/wallets/import", { network, name: "brought", ...brought(change) });
const importKey = (change: Readonly<Record<string, unknown>> = {}) =>
  signed("POST", "/keys/import", brought(change));
/** The refusal, and the number of rows written for it. */
const refusal = async (request: () => Promise<Answer>) => {
  const before = await world.rows();
  const { status, body } = await request();
  return { status, code: errorOf(body).details.code, written: (await world.rows()) - before };
};

describe("a key that a client brings", () => {
  it("INV-8 is authorised by the digests of its shares, and they wait for the signers", async () => {
    const { body } = await importKey({ protocol: "CGGMP21", encryptedKeyShares: sharesOf("AAAB") });
    const id = keyIdSchema.parse(walletOf(body).id);
    const asked = (await readKey(world.database, id)) ?? expect.fail("the key is stored");
    const { payload, signature } = asked.authorisation;
    expect(verify(null, payload, world.authorityKey, signature)).toBe(true);
    const authorised = authorisedImportSchema.parse(JSON.parse(Buffer.from(payload).toString("utf8")));
    expect(authorised).toMatchObject({
      keyId: id,
      orgId: world.caller.orgId,
      scheme: "ECDSA",
      protocol: "CGGMP21",
      threshold: 3,
    });
    expect(authorised.shares.map(({ signerId }) => signerId).sort()).toEqual([...ids].sort());
    const kept = await readKeyImport(world.database, id);
    expect(kept?.map((share) => Buffer.from(share).toString("hex"))).toEqual(ids.map(() => "000001"));
  });

  it("is answered as an imported key", async () => {
    const { status, body } = await importKey({ name: "mine", masterKey: false });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        name: "mine",
        scheme: "ECDSA",
        curve: "secp256k1",
        publicKey: PUBLIC_KEY,
        imported: true,
        exported: false,
        custodial: true,
      }),
    ]);
  });

  it.each([
    ["FROST", "ed25519", "EdDSA"],
    ["FROST_BITCOIN", "secp256k1", "Schnorr"],
  ])("of the protocol %s on %s is a key for %s", async (protocol, curve, scheme) => {
    const { status, body } = await importKey({ protocol, curve });
    expect([status, body]).toEqual([200, expect.objectContaining({ scheme, curve, imported: true })]);
  });

  it("comes with a wallet of its own address, which keeps nothing that a signer could open", async () => {
    const externalId = "kept";
    const { status, body } = await importWallet({ externalId, encryptedKeyShares: sharesOf("c2VjcmV0") });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ network, name: "brought", address: ADDRESS, imported: true, externalId }),
    ]);
    const wallet = await readWalletByExternalId(world.database, world.caller.orgId, externalId);
    expect(JSON.stringify(wallet?.requestBody)).not.toContain("c2VjcmV0");
  });

  it("is brought once by the same request with an externalId, and by no other with it", async () => {
    const [first, again] = [await importWallet({ externalId: "x" }), await importWallet({ externalId: "x" })];
    expect(again).toMatchObject({ status: 200, body: { id: walletOf(first.body).id } });
    const other = { externalId: "x", encryptedKeyShares: sharesOf("AAAB") };
    expect(await refusal(() => importWallet(other))).toEqual({
      status: 409,
      code: "ExternalIdConflict",
      written: 0,
    });
  });

  it.each([
    ["KeyImportRefused", { issues: [{ field: "scalar", signer: "signer-2" }] }, 400],
    ["KeyImportDuplicate", { duplicate: { id: "key-of-before" } }, 409],
    ["KeyImportEnvelopesUsed", { signer: "signer-3" }, 409],
    ["KeyImportDisabled", { signer: "signer-3" }, 403],
    ["SignersUnavailable", { unavailable: ["signer-4"] }, 503],
  ] as const)("is answered with what the signers make of it: %s", async (code, details, status) => {
    world.script({ kind: "GenerationFailed", problem: problem(code, details) });
    const { status: answered, body } = await importWallet({ externalId: "again" });
    expect([answered, errorOf(body).details]).toEqual([
      status,
      expect.objectContaining({ code, ...details }),
    ]);
  });

  it("INV-11 is nobody else's: a stranger reads neither key nor wallet, as if there were none", async () => {
    const { body } = await importWallet();
    const { id } = walletOf(body);
    const strangers = { authorization: `Bearer ${world.strangersToken}` };
    const keyId = signedSchema.parse(body).signingKey.id;
    for (const path of [`/wallets/${id}`, `/keys/${keyId}`]) {
      expect((await world.call("GET", path, undefined, strangers)).status).toBe(404);
    }
  });
});

describe("INV-9 an import is refused", () => {
  it.each(["/keys/import", "/wallets/import"])("to a token alone: %s is always signed", async (path) => {
    const body = path === "/keys/import" ? brought() : { network, ...brought() };
    expect(await refusal(() => world.call("POST", path, body))).toEqual({
      status: 403,
      code: "UserActionInvalid",
      written: 0,
    });
  });

  it("until the operator activates imports for the organisation, and for no other", async () => {
    const refused = { status: 403, code: "ImportNotActivated", written: 0 };
    const strangers = await signedCaller(world, world.strangersToken);
    expect(await refusal(() => strangers("POST", "/keys/import", brought()))).toEqual(refused);
    await activateKeyImport(world.database, world.caller.orgId, false);
    expect(await refusal(() => importKey())).toEqual(refused);
    expect(await refusal(() => importWallet())).toEqual(refused);
  });

  it.each<readonly [string, () => Readonly<Record<string, unknown>>, string]>([
    ["a signer without a share", () => ({ encryptedKeyShares: sharesOf().slice(1) }), "KeyImportRefused"],
    [
      "a signer that is none",
      () => ({
        encryptedKeyShares: [...sharesOf().slice(1), { signerId: "AAAA", encryptedKeyShare: "AAAA" }],
      }),
      "KeyImportRefused",
    ],
    [
      "two shares for one signer",
      () => ({ encryptedKeyShares: [...sharesOf(), ...sharesOf().slice(0, 1)] }),
      "KeyImportRefused",
    ],
    ["shares that are no base64", () => ({ encryptedKeyShares: sharesOf("%%%%") }), "KeyImportRefused"],
    ["a threshold of two", () => ({ minSigners: 2 }), "KeyImportRefused"],
    ["a threshold of none", () => ({ minSigners: 0 }), "InvalidBody"],
    ["half a threshold", () => ({ minSigners: 2.5 }), "InvalidBody"],
    ["a protocol for another curve", () => ({ curve: "ed25519" }), "KeyImportRefused"],
    ["a curve that no signer knows", () => ({ curve: "stark" }), "KeyImportRefused"],
    ["a protocol of derivation", () => ({ protocol: "GLOW20_DH" }), "KeyImportRefused"],
    ["no protocol", () => ({ protocol: undefined }), "InvalidBody"],
    ["no curve", () => ({ curve: undefined }), "InvalidBody"],
    ["no threshold", () => ({ minSigners: undefined }), "InvalidBody"],
    ["no shares", () => ({ encryptedKeyShares: undefined }), "InvalidBody"],
    ["an empty list of shares", () => ({ encryptedKeyShares: [] }), "InvalidBody"],
    ["an empty share", () => ({ encryptedKeyShares: sharesOf("") }), "InvalidBody"],
    ["a share of a megabyte", () => ({ encryptedKeyShares: sharesOf("A".repeat(20_000)) }), "InvalidBody"],
    ["a field of nobody", () => ({ privateKey: "0x01" }), "InvalidBody"],
  ])("with %s: of a key and of a wallet", async (_, change, code) => {
    const refused = { status: 400, code, written: 0 };
    expect(await refusal(() => importKey(change()))).toEqual(refused);
    expect(await refusal(() => importWallet(change()))).toEqual(refused);
  });

  it.each([
    ["a key of another curve", { protocol: "FROST", curve: "ed25519" }, "KeyFormatMismatch"],
    ["a network of another curve", { network: "KeyEdDSA" }, "KeyFormatMismatch"],
    ["a network that is not served", { network: "Polygon" }, "NetworkNotEnabled"],
    ["a network that is none", { network: "Atlantis" }, "NetworkUnknown"],
    ["no network", { network: undefined }, "InvalidBody"],
    ["an empty externalId", { externalId: "" }, "InvalidBody"],
    ["a name that cannot be stored", { name: "a\u0000b" }, "InvalidBody"],
  ])("of a wallet with %s", async (_, change, code) => {
    expect(await refusal(() => importWallet(change))).toEqual({ status: 400, code, written: 0 });
  });

  it("of a key to derive others from", async () => {
    const refused = { status: 400, code: "KeyDerivationNotSupported", written: 0 };
    expect(await refusal(() => importKey({ masterKey: true }))).toEqual(refused);
  });

  it.each<readonly [readonly Operation[], boolean, boolean]>([
    [["Signers:ListSigners", "Wallets:Import"], true, true],
    [["Keys:Import", "Wallets:Create"], true, true],
    [["Keys:Import"], false, true],
    [["Wallets:Import"], false, true],
    [["Signers:ListSigners", "Wallets:Create", "Keys:Create"], false, false],
  ])("without a permission of one generation of clients: %o", async (operations, ofWallet, ofKey) => {
    const { token } = await world.tokenOf([...operations]);
    const call = await signedCaller(world, token);
    const wallet = await call("POST", "/wallets/import", { network, ...brought() });
    const key = await call("POST", "/keys/import", brought());
    expect([wallet.status, key.status]).toEqual([ofWallet ? 200 : 403, ofKey ? 200 : 403]);
  });
});
