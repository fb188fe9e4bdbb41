import { createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { expect, test } from "vitest";
import { keyIdSchema, organisationIdSchema, userIdSchema } from "../identifiers.ts";
import { type Network, networkSchema } from "../network.ts";
import type { CreatingKey } from "./key.ts";
import { type ClaimedKey, judgeClaimedKey } from "./key-activation.ts";
import { type AttestedKey, attestationBytes } from "./key-attestation.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const PUBLIC_KEY = `02${"ab".repeat(32)}`;
const OTHER = keyIdSchema.parse("key-aaaaa-bbbbb-0000000000000001");
const identities = [1, 2, 3].map((index) => ({ index, ...generateKeyPairSync("ed25519") }));
const checks = {
  signers: identities.map(({ index, publicKey }) => {
    const { x = "" } = publicKey.export({ format: "jwk" });
    return { id: `signer-${index}`, identityKey: Buffer.from(x, "base64url").toString("hex") };
  }),
  verify: (signature: Uint8Array, message: Uint8Array, identityKey: string) => {
    const x = Buffer.from(identityKey, "hex").toString("base64url");
    return verify(
      null,
      message,
      createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }),
      signature,
    );
  },
  isInternalKeyOf: (internalKey: string, publicKey: string) => internalKey.slice(2) === publicKey.slice(2),
  addressOn: (network: Network, publicKey: string) =>
    network.startsWith("Key") ? undefined : `${network}/${publicKey.slice(0, 6)}`,
};
const key: CreatingKey = {
  id: keyIdSchema.parse("key-aaaaa-bbbbb-0000000000000002"),
  orgId: organisationIdSchema.parse("or-aaaaa-bbbbb-0000000000000001"),
  name: undefined,
  scheme: "ECDSA",
  origin: "generated",
  requester: { userId: userIdSchema.parse("us-aaaaa-bbbbb-0000000000000001") },
  authorisation: { payload: new Uint8Array(0), signature: new Uint8Array(64) },
  isDelegable: false,
  delegatedTo: undefined,
  dateCreated: DATE,
  status: "Creating",
};

const signatures = (change: Partial<AttestedKey> = {}): Uint8Array[] => {
  const message = attestationBytes({ keyId: key.id, scheme: key.scheme, publicKey: PUBLIC_KEY, ...change });
  return identities.map(({ privateKey }) => new Uint8Array(sign(null, message, privateKey)));
};
const claim = (change: Partial<ClaimedKey> = {}) => {
  const claimed = {
    key,
    publicKey: PUBLIC_KEY,
    internalKey: undefined,
    signatures: signatures(),
    networks: [],
    duplicate: undefined,
  };
  return judgeClaimedKey({ ...claimed, ...change }, checks, DATE);
};

test("a key that all signers of the roster sign is activated, with an address on each network that has addresses", () => {
  const networks = ["EthereumSepolia", "KeyECDSA"].map((network) => networkSchema.parse(network));
  const addresses = new Map([[networks[0], "EthereumSepolia/02abab"]]);
  expect(claim({ networks })).toEqual({ kind: "Activated", publicKey: PUBLIC_KEY, addresses, date: DATE });
});

const [other, zeros] = [generateKeyPairSync("ed25519"), new Uint8Array(64)];
const withThird = (signature: Uint8Array): Uint8Array[] => [...signatures().slice(0, 2), signature];
const ofStranger = () => {
  const message = attestationBytes({ keyId: key.id, scheme: key.scheme, publicKey: PUBLIC_KEY });
  return new Uint8Array(sign(null, message, other.privateKey));
};
const ALL = ["signer-1", "signer-2", "signer-3"];

test.each<[string, () => Uint8Array[], string[]]>([
  ["the last signer signed nothing", () => signatures().slice(0, 2), ["signer-3"]],
  ["its signature is zeros", () => withThird(zeros), ["signer-3"]],
  ["its signature is half a signature", () => withThird(zeros.slice(32)), ["signer-3"]],
  ["its signature is another signer's", () => withThird(signatures()[0] ?? zeros), ["signer-3"]],
  [
    "its signature is of an identity that the roster does not pin",
    () => withThird(ofStranger()),
    ["signer-3"],
  ],
  ["the signatures come in another order", () => signatures().reverse(), ["signer-1", "signer-3"]],
  ["they are of another public key", () => signatures({ publicKey: `03${"ab".repeat(32)}` }), ALL],
  ["they are of another key", () => signatures({ keyId: OTHER }), ALL],
  ["they are of another scheme", () => signatures({ scheme: "FROST-BIP340" }), ALL],
])("INV-8 a key is not activated when %s, and the signers are named", (_, given, signers) => {
  const failed = { kind: "GenerationFailed", problem: { code: "KeyGenerationFailed", details: { signers } } };
  expect(claim({ signatures: given() })).toMatchObject(failed);
});

test("an imported key fails by a code of its own, and when the organisation has the key already", () => {
  const imported = { ...key, origin: "imported" } as const;
  const codeOf = (change: Partial<ClaimedKey>) => {
    const event = claim({ key: imported, ...change });
    return event.kind === "GenerationFailed" ? event.problem : event.kind;
  };
  expect(codeOf({ signatures: [] })).toMatchObject({ code: "KeyImportFailed", details: { signers: ALL } });
  expect(codeOf({ duplicate: OTHER })).toMatchObject({
    code: "KeyImportDuplicate",
    details: { duplicate: { id: OTHER } },
  });
  expect(codeOf({})).toBe("Activated");
});

test("a generated key is judged by its signers alone", () => {
  expect(claim({ duplicate: OTHER })).toMatchObject({ kind: "Activated" });
});

test("INV-8 a Taproot key is activated with its internal key, or without one, and with no other's", () => {
  const taproot = { ...key, scheme: "FROST-Taproot" } as const;
  const judged = (internalKey: string | undefined) =>
    claim({ key: taproot, signatures: signatures({ scheme: taproot.scheme }), internalKey });
  const own = `03${"ab".repeat(32)}`;
  expect(judged(own)).toMatchObject({ kind: "Activated", publicKey: PUBLIC_KEY, internalKey: own });
  expect(judged(undefined)).toMatchObject({ kind: "Activated", internalKey: undefined });
  expect(judged(`03${"cd".repeat(32)}`)).toMatchObject({ problem: { code: "KeyGenerationFailed" } });
  expect(claim({ internalKey: own })).toMatchObject({ problem: { code: "KeyGenerationFailed" } });
});
