import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { credentialUuidSchema, organisationIdSchema, userIdSchema } from "@conclave/custody";
import { type Credential, freshId } from "@conclave/platform";
import { describe, expect, it } from "vitest";
import {
  type Authenticator,
  assertionOf,
  attestationOf,
  type ClientKey,
  type ClientKeyKind,
  makeAuthenticator,
  makeClientKey,
  textOf,
} from "../testing/signers.ts";
import { type Factor, factorSchema, judgeAssertion } from "./assertion.ts";
import { judgeAttestation } from "./attestation.ts";
import { readPublicKey } from "./public-key.ts";

const CHALLENGE = "Y2hhbGxlbmdl";
const HERE = { id: "localhost", origin: "http://localhost:8080" };
const KINDS: readonly ClientKeyKind[] = ["ed25519", "P-256", "secp256k1", "rsa"];

const credentialOf = (id: string, more: Partial<Credential>): Credential => ({
  id,
  uuid: freshId(credentialUuidSchema, "cr"),
  kind: "Key",
  orgId: freshId(organisationIdSchema, "or"),
  userId: freshId(userIdSchema, "us"),
  name: "a key",
  publicKey: "",
  isActive: true,
  relyingPartyId: "",
  origin: "",
  encryptedPrivateKey: undefined,
  signCount: 0,
  coseKey: undefined,
  tokenId: undefined,
  dateCreated: "2026-01-01T00:00:00.000Z",
  ...more,
});
const factor = (kind: Factor["kind"], credentialAssertion: object): Factor =>
  factorSchema.parse({ kind, credentialAssertion });
const holds = async (credential: Credential, signed: Factor) =>
  (await judgeAssertion(credential, signed, CHALLENGE)).holds;

describe("the signature of a key", () => {
  it.each(KINDS)("of kind %s holds over its challenge and no other", async (kind) => {
    const key = makeClientKey(kind);
    const credential = credentialOf(key.credId, { publicKey: key.publicKey });
    expect(await holds(credential, factor("Key", assertionOf(key, CHALLENGE)))).toBe(true);
    expect(await holds(credential, factor("Key", assertionOf(key, "other")))).toBe(false);
  });

  const key = makeClientKey();
  const credential = credentialOf(key.credId, { publicKey: key.publicKey });
  it.each([
    ["the vendor's library of before", { origin: "https://app.example", crossOrigin: false }],
    ["a client in Go or Python", { crossOrigin: false }],
    ["a client of tomorrow", { extra: { nested: true } }],
  ])("holds with the client data of %s", async (_, more) => {
    expect(await holds(credential, factor("Key", assertionOf(key, CHALLENGE, more)))).toBe(true);
  });

  it("over members in another order holds", async () => {
    const clientData = Buffer.from(
      JSON.stringify({ challenge: CHALLENGE, crossOrigin: false, type: "key.get" }),
    );
    const signature = sign(null, clientData, key.privateKey).toString("base64url");
    const signed = { credId: key.credId, clientData: clientData.toString("base64url"), signature };
    expect(await holds(credential, factor("Key", signed))).toBe(true);
  });

  it("over SHA-512 holds when it says so", async () => {
    const p256 = makeClientKey("P-256");
    const clientData = Buffer.from(JSON.stringify({ type: "key.get", challenge: CHALLENGE }));
    const signature = sign("sha512", clientData, p256.privateKey).toString("base64url");
    const signed = { credId: p256.credId, clientData: clientData.toString("base64url"), signature };
    const its = credentialOf(p256.credId, { publicKey: p256.publicKey });
    expect(await holds(its, factor("Key", { ...signed, algorithm: "SHA512" }))).toBe(true);
    expect(await holds(its, factor("Key", signed))).toBe(false);
  });

  it("of a password's key holds for that kind of credential alone", async () => {
    const signed = assertionOf(key, CHALLENGE);
    const its = credentialOf(key.credId, { kind: "PasswordProtectedKey", publicKey: key.publicKey });
    expect(await holds(its, factor("PasswordProtectedKey", signed))).toBe(true);
    expect(await holds(its, factor("Key", signed))).toBe(false);
    expect(await holds(credential, factor("PasswordProtectedKey", signed))).toBe(false);
  });
});

describe("the attestation of a key", () => {
  const judge = (key: ClientKey, info: object, challenge = CHALLENGE) =>
    judgeAttestation(
      { credentialKind: "Key", credentialInfo: { ...attestationOf(key, CHALLENGE), ...info } },
      challenge,
      [HERE],
    );

  it.each(KINDS)("of kind %s holds", async (kind) => {
    const key = makeClientKey(kind);
    const judged = await judge(key, {});
    expect(judged).toMatchObject({ ok: true, value: { publicKey: key.publicKey, signCount: 0 } });
  });

  it("is over client data and key as one text, members in alphabetical order", async () => {
    const key = makeClientKey();
    const clientData = JSON.stringify({ type: "key.create", challenge: CHALLENGE });
    const hash = createHash("sha256").update(clientData).digest("hex");
    const turned = JSON.stringify({ publicKey: key.publicKey, clientDataHash: hash });
    const signature = sign(null, Buffer.from(turned), key.privateKey).toString("hex");
    const attestationData = Buffer.from(JSON.stringify({ publicKey: key.publicKey, signature }));
    const judged = await judge(key, { attestationData: attestationData.toString("base64url") });
    expect(judged).toMatchObject({ ok: false, problem: { code: "CredentialRefused" } });
  });

  const key = makeClientKey();
  const other = attestationOf(makeClientKey(), CHALLENGE);
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  it.each<readonly [string, object, string]>([
    ["over another challenge", {}, "other"],
    ["by another key", { attestationData: other.attestationData, clientData: encoded({ a: 1 }) }, CHALLENGE],
    ["with client data to sign in", { clientData: assertionOf(key, CHALLENGE).clientData }, CHALLENGE],
    ["that is no JSON", { attestationData: "AAAA" }, CHALLENGE],
    ["without a signature", { attestationData: encoded({ publicKey: key.publicKey }) }, CHALLENGE],
    [
      "with a signature that is no hex",
      { attestationData: encoded({ publicKey: "", signature: "zz" }) },
      CHALLENGE,
    ],
  ])("%s is refused", async (_, info, challenge) => {
    const judged = await judge(key, info, challenge);
    expect(judged).toMatchObject({ ok: false, problem: { code: "CredentialRefused" } });
  });
});

describe("INV-10 a public key", () => {
  const small = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const { privateKey } = generateKeyPairSync("ed25519");
  const exchange = generateKeyPairSync("x25519");
  const pem = (key: typeof small.publicKey) => key.export({ type: "spki", format: "pem" }).toString();
  it.each([
    ["that is private", privateKey.export({ type: "pkcs8", format: "pem" }).toString()],
    ["that signs nothing", pem(exchange.publicKey)],
    ["that is too small", pem(small.publicKey)],
    ["that is none", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"],
  ])("%s is refused", (_, text) => {
    expect(readPublicKey(text)).toMatchObject({ ok: false, problem: { code: "PublicKeyInvalid" } });
  });
});

describe("an authenticator", () => {
  const registered = async (authenticator: Authenticator): Promise<Credential> => {
    const judged = await judgeAttestation(
      { credentialKind: "Fido2", credentialInfo: authenticator.attest(CHALLENGE) },
      CHALLENGE,
      [HERE],
    );
    if (!judged.ok) throw new Error(JSON.stringify(judged.problem));
    return credentialOf(authenticator.credId, { kind: "Fido2", ...judged.value });
  };

  it.each([
    ["given the challenge's bytes", textOf],
    ["given the challenge itself", (text: string) => text],
  ])("that was %s is registered, and signs", async (_, encode) => {
    const authenticator = makeAuthenticator({ encode });
    const credential = await registered(authenticator);
    expect(credential).toMatchObject({ relyingPartyId: "localhost", origin: HERE.origin });
    expect(credential.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----/);
    const verdict = await judgeAssertion(
      credential,
      factor("Fido2", authenticator.assert(CHALLENGE)),
      CHALLENGE,
    );
    expect(verdict).toEqual({ holds: true, signCount: 1 });
  });

  it.each<readonly [string, (signed: object, authenticator: Authenticator) => object]>([
    ["of another challenge", (_, authenticator) => authenticator.assert("other")],
    [
      "of another origin",
      (_, authenticator) => authenticator.assert(CHALLENGE, { origin: "http://evil.example" }),
    ],
    ["of another type", (_, authenticator) => authenticator.assert(CHALLENGE, { type: "webauthn.create" })],
    [
      "in another frame",
      (_, a) => a.assert(CHALLENGE, { crossOrigin: true, topOrigin: "http://evil.example" }),
    ],
    ["in a frame of an origin that it does not name", (_, a) => a.assert(CHALLENGE, { crossOrigin: true })],
    [
      "with other client data",
      (signed, a) => ({ ...signed, clientData: a.assert(CHALLENGE, { a: 1 }).clientData }),
    ],
    [
      "with other authenticator data",
      (signed, a) => ({ ...signed, authenticatorData: a.assert("x").authenticatorData }),
    ],
    ["that is no DER", (signed) => ({ ...signed, signature: "AAAA" })],
  ])("with a signature %s is refused", async (_, change) => {
    const authenticator = makeAuthenticator();
    const credential = await registered(authenticator);
    const signed = change(authenticator.assert(CHALLENGE), authenticator);
    expect(await holds(credential, factor("Fido2", signed))).toBe(false);
  });

  it("that counts no further was copied, or its signature was used before", async () => {
    const authenticator = makeAuthenticator();
    const credential = await registered(authenticator);
    const signed = factor("Fido2", authenticator.assert(CHALLENGE));
    expect(await holds({ ...credential, signCount: 1 }, signed)).toBe(false);
  });

  it.each([
    ["another page", { origin: "http://localhost:9999" }],
    ["another relying party", { rpId: "evil.example" }],
    ["a page of one relying party for another", { rpId: "localhost", origin: "https://other.example" }],
    ["nobody present", { flags: 0 }],
    ["nobody verified", { flags: 1 }],
    ["a page in a frame of another origin (row 16: crossOrigin)", { crossOrigin: true }],
  ])("with %s is not registered", async (_, options) => {
    const judged = await judgeAttestation(
      { credentialKind: "Fido2", credentialInfo: makeAuthenticator(options).attest(CHALLENGE) },
      CHALLENGE,
      [HERE, { id: "other.example", origin: "https://other.example" }],
    );
    expect(judged).toMatchObject({ ok: false, problem: { code: "CredentialRefused" } });
  });

  it("under another credId than its own is not registered", async () => {
    const info = { ...makeAuthenticator().attest(CHALLENGE), credId: "AAAA" };
    const asked = { credentialKind: "Fido2", credentialInfo: info } as const;
    const judged = await judgeAttestation(asked, CHALLENGE, [HERE]);
    expect(judged).toMatchObject({ ok: false, problem: { code: "CredentialRefused" } });
  });
});
