import { createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { expect, test } from "vitest";
import { keyIdSchema, organisationIdSchema, userIdSchema } from "../identifiers.ts";
import { type Network, networkSchema } from "../network.ts";
import type { CreatingKey } from "./key.ts";
import { type ClaimedKey, judgeClaimedKey } from "./key-activation.ts";
import { type AttestedKey, attestationBytes } from "./key-attestation.ts";
import { type KeyAttestation, type KeyStatement, statementBytes } from "./key-statement.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const PUBLIC_KEY = `02${"ab".repeat(32)}`;
const OTHER = keyIdSchema.parse("key-aaaaa-bbbbb-0000000000000001");
const identities = [1, 2, 3].map((index) => ({ index, ...generateKeyPairSync("ed25519") }));
const cluster = {
  clusterId: "cluster-1",
  threshold: 2,
  signers: identities.map(({ index, publicKey }) => {
    const { x = "" } = publicKey.export({ format: "jwk" });
    return { index, id: `signer-${index}`, identityKey: Buffer.from(x, "base64url").toString("hex") };
  }),
};
const checks = {
  clusters: [cluster],
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
const older = (given: readonly Uint8Array[]): readonly KeyAttestation[] =>
  given.map((signature) => ({ signature }));
const claim = (change: Partial<ClaimedKey> = {}) => {
  const claimed = {
    key,
    publicKey: PUBLIC_KEY,
    internalKey: undefined,
    attestations: older(signatures()),
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
  expect(claim({ attestations: older(given()) })).toMatchObject(failed);
});

/** The signers' statements of the current version, each right or changed. */
const stated = (
  change: Partial<KeyStatement> = {},
  which: readonly number[] = [1, 2, 3],
): readonly KeyAttestation[] =>
  identities.map(({ index, privateKey }, at) => {
    const signature = signatures()[at] ?? zeros;
    const { id: keyId, orgId, origin, scheme } = key;
    const cluster = { cluster: "cluster-1", signer: index, threshold: 2, total: 3 };
    const made = { orgId, keyId, origin, scheme, publicKey: PUBLIC_KEY, date: DATE };
    const statement = statementBytes({ ...cluster, ...made, ...(which.includes(index) ? change : {}) });
    return { signature, stated: { statement, signature: new Uint8Array(sign(null, statement, privateKey)) } };
  });

test("a key of which all signers state what it is is activated, also while some of them are of the version before", () => {
  expect(claim({ attestations: stated() })).toMatchObject({ kind: "Activated" });
  const mixed = stated().map((said, at) => (at === 1 ? { signature: said.signature } : said));
  expect(claim({ attestations: mixed })).toMatchObject({ kind: "Activated" });
  const lying = stated({ origin: "imported" }, [3]).map((said, at) =>
    at === 1 ? { signature: said.signature } : said,
  );
  expect(claim({ attestations: lying })).toMatchObject({ problem: { details: { signers: ["signer-3"] } } });
});

test.each<[string, Partial<KeyStatement>]>([
  ["another cluster", { cluster: "cluster-2" }],
  ["another organisation", { orgId: organisationIdSchema.parse("or-aaaaa-bbbbb-0000000000000002") }],
  ["another key", { keyId: OTHER }],
  ["another way in which it came to be", { origin: "imported" }],
  ["another threshold", { threshold: 3 }],
  ["another number of signers", { total: 4 }],
  ["another scheme", { scheme: "FROST-BIP340" }],
  ["another public key", { publicKey: `03${"ab".repeat(32)}` }],
  ["another signer", { signer: 1 }],
])("INV-8 a key is not activated when a signer states %s, and it is named", (_, change) => {
  const details = { signers: ["signer-3"] };
  expect(claim({ attestations: stated(change, [3]) })).toMatchObject({ problem: { details } });
  if (change.signer === undefined) {
    expect(claim({ attestations: stated(change) })).toMatchObject({ problem: { details: { signers: ALL } } });
  }
});

test("INV-8 a key is not activated when its signers name two dates, or a statement is not signed", () => {
  const date = "2026-01-02T03:04:05.679Z";
  expect(claim({ attestations: stated({ date }, [3]) })).toMatchObject({ kind: "GenerationFailed" });
  expect(claim({ attestations: stated({ date }) })).toMatchObject({ kind: "Activated" });
  const unsigned = stated().map((said, at) =>
    at === 1 && said.stated !== undefined ? { ...said, stated: { ...said.stated, signature: zeros } } : said,
  );
  expect(claim({ attestations: unsigned })).toMatchObject({
    problem: { details: { signers: ["signer-2"] } },
  });
});

test("an imported key fails by a code of its own, and when the organisation has the key already", () => {
  const imported = { ...key, origin: "imported" } as const;
  const codeOf = (change: Partial<ClaimedKey>) => {
    const event = claim({ key: imported, ...change });
    return event.kind === "GenerationFailed" ? event.problem : event.kind;
  };
  expect(codeOf({ attestations: [] })).toMatchObject({ code: "KeyImportFailed", details: { signers: ALL } });
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
    claim({ key: taproot, attestations: older(signatures({ scheme: taproot.scheme })), internalKey });
  const own = `03${"ab".repeat(32)}`;
  expect(judged(own)).toMatchObject({ kind: "Activated", publicKey: PUBLIC_KEY, internalKey: own });
  expect(judged(undefined)).toMatchObject({ kind: "Activated", internalKey: undefined });
  expect(judged(`03${"cd".repeat(32)}`)).toMatchObject({ problem: { code: "KeyGenerationFailed" } });
  expect(claim({ internalKey: own })).toMatchObject({ problem: { code: "KeyGenerationFailed" } });
});
