import { attestationBytes, readStatement } from "@conclave/custody";
import { Secret, verifyEd25519 } from "@conclave/threshold";
import { insecurePartySecrets, testParty, testSessionId } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { TestCluster } from "../../testing/cluster.ts";
import { refreshOn } from "../../testing/drive-key-change.ts";
import { authoriseKey, KEY_ID, keyIdOf, rosterOf, START_MS } from "../../testing/fixtures.ts";
import { FROST_KEYS, frostRecords } from "../../testing/frost-records.ts";
import { authoriseImport, honestEnvelopes, importOn, PASSING_KEY } from "../../testing/key-passage.ts";
import { storedKey } from "../records/key-records.ts";
import { attestKey } from "./attest-key.ts";

const ONE = testParty(1);
const secrets = new Secret(insecurePartySecrets(ONE));
const identity = rosterOf(5).get(ONE)?.identity ?? expect.fail("the roster has signer 1");
const open = () => new TestCluster({ seed: "attest", engine: "tiny", records: frostRecords(5, 3) });
const stateOf = (cluster: TestCluster) => cluster.node(1).state ?? expect.fail("signer 1 runs");

test.each([{ keyId: KEY_ID, scheme: "ECDSA" } as const, ...FROST_KEYS])(
  "a signer signs what its active $scheme key is, and no other scheme's words",
  ({ keyId, scheme }) => {
    const state = stateOf(open());
    const publicKey = bytesToHex(storedKey(state, keyId)?.publicKey ?? expect.fail("it holds the key"));
    const { signature } = attestKey(state, keyId, secrets) ?? expect.fail("it signs");
    const isSaid = (said: typeof scheme | "FROST-Ed25519" | "ECDSA") =>
      verifyEd25519(signature, attestationBytes({ keyId, scheme: said, publicKey }), identity);
    expect(isSaid(scheme)).toBe(true);
    expect(isSaid(scheme === "ECDSA" ? "FROST-Ed25519" : "ECDSA")).toBe(false);
  },
);

const SESSION = { session: testSessionId("attest"), expiresAtMs: START_MS + 20_000 };

/** Makes a key active at all signers. */
const activated = (cluster: TestCluster, begin: "key-generation" | "key-import", keyId: string): void => {
  const envelopes = honestEnvelopes();
  for (const index of [1, 2, 3, 4, 5])
    cluster.call(index, (call) =>
      begin === "key-generation"
        ? { kind: begin, call, ...SESSION, authorisation: authoriseKey(keyId) }
        : {
            kind: begin,
            call,
            ...SESSION,
            authorisation: authoriseImport(envelopes),
            envelope: envelopes.get(testParty(index)) ?? expect.fail("it is dealt one"),
          },
    );
  cluster.rest(100);
  for (const index of [1, 2, 3, 4, 5]) cluster.call(index, (call) => ({ kind: "activate-key", call, keyId }));
  cluster.rest(100);
};
const statedBy = (cluster: TestCluster, keyId: string) => {
  const { stated } = attestKey(stateOf(cluster), keyId, secrets) ?? expect.fail("it holds the key");
  if (stated === undefined) return undefined;
  expect(verifyEd25519(stated.signature, stated.statement, identity)).toBe(true);
  return readStatement(stated.statement);
};

test.each([
  ["key-generation", keyIdOf(2), "generated"],
  ["key-import", PASSING_KEY, "imported"],
] as const)(
  "INV-8 a signer states of what it took part in by %s whose it is, and how it came to be",
  (begin, keyId, origin) => {
    const cluster = open();
    activated(cluster, begin, keyId);
    const { publicKey } = storedKey(stateOf(cluster), keyId) ?? expect.fail("it holds the key");
    expect(statedBy(cluster, keyId)).toEqual({
      ...{ cluster: "test", signer: 1, orgId: "or-aaaaa-bbbbb-0000000000000001", keyId, origin },
      ...{ threshold: 3, total: 5, scheme: "ECDSA", publicKey: bytesToHex(publicKey) },
      date: new Date(START_MS).toISOString(),
    });
  },
);

test("INV-8 a refresh keeps what a signer knows of how a key came to be: it states the same of it", () => {
  const cluster = new TestCluster({ seed: "attest" });
  const imported = importOn(cluster, { envelopes: honestEnvelopes() });
  cluster.until(() => imported.isClosed);
  const { publicKey } = imported.result ?? expect.fail(JSON.stringify(imported.problem));
  const before = statedBy(cluster, PASSING_KEY);
  expect(before).toMatchObject({ keyId: PASSING_KEY, origin: "imported" });
  const changed = refreshOn(cluster, { key: { keyId: PASSING_KEY, publicKey } });
  cluster.until(() => changed.isClosed);
  cluster.rest(100);
  expect(storedKey(stateOf(cluster), PASSING_KEY)?.epoch).toBe(2);
  expect(statedBy(cluster, PASSING_KEY)).toEqual(before);
});

test("of a share of which it does not know how it came to be, a signer states nothing, and attests what it holds", () => {
  const cluster = open();
  expect(storedKey(stateOf(cluster), KEY_ID)?.made).toBeUndefined();
  expect(statedBy(cluster, KEY_ID)).toBeUndefined();
});

test("of a key that is unknown, or not active yet, it says nothing", () => {
  const cluster = open();
  expect(attestKey(stateOf(cluster), keyIdOf(77), secrets)).toBeUndefined();
  const keyId = keyIdOf(2);
  for (const index of [1, 2, 3, 4, 5])
    cluster.call(index, (call) => ({
      kind: "key-generation",
      call,
      session: testSessionId("attest"),
      authorisation: authoriseKey(keyId),
      expiresAtMs: START_MS + 20_000,
    }));
  cluster.rest(100);
  expect(storedKey(stateOf(cluster), keyId)?.state).toBe("pending");
  expect(attestKey(stateOf(cluster), keyId, secrets)).toBeUndefined();
});
