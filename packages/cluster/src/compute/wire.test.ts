import { NO_MATERIAL, Secret } from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import {
  insecureAuxiliaryPrimes,
  insecurePartySecrets,
  insecurePeerKeys,
  seededEntropy,
  testParties,
  testParty,
} from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { type SessionKey, sessionKey } from "../control/session-key.ts";
import { compute, openHost } from "./host.ts";
import { drop } from "./host-state.ts";
import type { ComputeResult, ComputeTask, HostConfig } from "./task.ts";
import {
  decodeHostConfig,
  decodeResult,
  decodeTask,
  encodeHostConfig,
  encodeResult,
  encodeTask,
} from "./wire.ts";

const self = testParty(1);
const parties = testParties(3);
const envelope = {
  session: new Uint8Array(32).fill(7),
  round: 1,
  kind: 1,
  from: 2,
  to: 0,
  payload: new Uint8Array(5),
  signature: new Uint8Array(64).fill(9),
};
const send = [envelope];
const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(3);
const secret = (): Secret<Uint8Array> => new Secret(bytes(40));

/** Secrets hide what they hold from comparison too: shown, they can be compared. */
const shown = (value: unknown): unknown => {
  if (value instanceof Secret) return ["secret", shown(value.reveal())];
  if (value instanceof Uint8Array) return Array.from(value);
  if (value instanceof Map) return [...value].map(shown);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shown(field)]));
};

const tasks: readonly ComputeTask[] = [
  { kind: "open-auxiliary", parties, epoch: 3, primes: new Secret(insecureAuxiliaryPrimes(1)) },
  { kind: "open-key", parties, keyId: "key-1", scheme: "FROST-Taproot", threshold: 2, epoch: 1 },
  {
    kind: "open-import",
    parties,
    keyId: "key-1",
    scheme: "FROST-Ed25519",
    threshold: 2,
    epoch: 1,
    places: [3, 1, 2],
    envelope: bytes(519),
  },
  {
    kind: "seal-export",
    scheme: "CGGMP24",
    key: secret(),
    encryptionKey: bytes(34),
    withChainCode: true,
  },
  { kind: "open-refresh", parties, scheme: "CGGMP24", key: secret(), nextEpoch: 5 },
  {
    kind: "open-reshare",
    parties,
    scheme: "FROST-BIP340",
    info: bytes(80),
    key: secret(),
    dealers: parties,
    receivers: parties,
    threshold: 2,
    nextEpoch: 2,
  },
  {
    kind: "open-reshare",
    parties,
    scheme: "CGGMP24",
    info: bytes(80),
    dealers: parties,
    receivers: parties,
    threshold: 2,
    nextEpoch: 2 ** 32 - 1,
  },
  { kind: "open-presigning", purpose: "pool", signers: parties, key: secret(), auxiliary: secret() },
  { kind: "open-signing", digest: bytes(32) },
  { kind: "export-presignature" },
  {
    kind: "open-pooled-signing",
    id: "ab".repeat(32),
    presignature: secret(),
    key: { keyId: "key-1", epoch: 1 },
    digest: { from: "transaction", bytes: bytes(32) },
  },
  { kind: "open-frost", signers: parties, scheme: "FROST-Ed25519", key: secret(), message: bytes(100) },
  { kind: "deliver", envelope },
];

test.each(tasks)("a task $kind survives the wire, secrets included", (task) => {
  expect(shown(decodeTask(encodeTask(task)))).toEqual(shown(task));
});

const results: readonly ComputeResult[] = [
  { kind: "running", stage: "presign/2", send, awaiting: [testParty(2)], phase: 5 },
  { kind: "running", stage: "presign/2", send: [], awaiting: [], phase: 0, ignored: "duplicate" },
  { kind: "auxiliary", info: secret(), checksum: bytes(32), epoch: 2, digest: bytes(32), send },
  { kind: "key", share: secret(), keyId: "key-1", publicKey: bytes(33), chainCode: bytes(32), send },
  {
    kind: "key-changed",
    share: secret(),
    keyId: "key-1",
    epoch: 2,
    publicKey: bytes(33),
    chainCode: bytes(32),
    digest: bytes(32),
    send,
  },
  {
    kind: "import-refused",
    refusals: [
      { kind: "entry", signer: testParty(2), flaw: { code: "Malformed", field: "chain_code" } },
      {
        kind: "difference",
        field: "public_shares",
        views: [
          { digest: bytes(32), signers: [self] },
          { digest: bytes(32), signers: [testParty(2)] },
        ],
      },
    ],
    send,
  },
  { kind: "exported", envelope: bytes(281), publicKey: bytes(33) },
  { kind: "presigned", send },
  { kind: "presignature", id: "ab".repeat(32), presignature: secret() },
  { kind: "signature", signature: { r: 5n, s: 6n, recovery: 1 }, send },
  { kind: "frost-signature", signature: bytes(64), send },
  {
    kind: "fault",
    fault: { culprit: testParty(2), check: "test", messages: [envelope], material: NO_MATERIAL },
    send,
  },
  { kind: "abort", check: "joint" },
];

test.each(results)("a result $kind survives the wire, secrets included", (result) => {
  expect(shown(decodeResult(encodeResult(result)))).toEqual(shown(result));
});

const config: HostConfig = {
  self,
  parameters: INSECURE_TEST_PARAMETERS,
  peers: new Map(parties.map((party) => [party, insecurePeerKeys(party)])),
  secrets: new Secret(insecurePartySecrets(self)),
};

test("a host's configuration survives the wire", () => {
  expect(shown(decodeHostConfig(encodeHostConfig(config)))).toEqual(shown(config));
});

test("bytes that are not our own encoding are a defect, not a value", () => {
  expect(() => decodeTask(bytes(9))).toThrow("the compute wire is broken");
});

const session = (): SessionKey => {
  const key = sessionKey(envelope.session);
  if (key === undefined) throw new Error("a session id has 32 bytes");
  return key;
};

test("INV-2 a host does not sign without the session's own presignature", () => {
  const host = openHost(config);
  const sign = { kind: "open-signing", digest: bytes(32) } as const;
  expect(() => compute(host, session(), sign, seededEntropy("host"))).toThrow("presignature");
});

test("a host knows nothing of a session that was dropped", () => {
  const task = {
    kind: "open-key",
    parties,
    keyId: "key-1",
    scheme: "CGGMP24",
    threshold: 2,
    epoch: 1,
  } as const;
  const entropy = seededEntropy("host");
  const { host, result } = compute(openHost(config), session(), task, entropy);
  expect(result).toMatchObject({ kind: "running", stage: "keygen/1", awaiting: [2, 3] });
  const late = compute(drop(host, session()), session(), { kind: "deliver", envelope }, entropy);
  expect(late.result).toEqual({ kind: "abort", check: "the session is not open" });
});

test("a fault among sixty-four signers, with more evidence than fits, does not break the wire of its reporter", () => {
  const messages = Array.from({ length: 330 }, (_, round) => ({ ...envelope, round: round % 256 }));
  const check = "keygen/4 confirmation of the key";
  const fault = { culprit: testParty(2), check, messages, material: NO_MATERIAL };
  const decoded = decodeResult(encodeResult({ kind: "fault", fault, send: [] }));
  if (decoded.kind !== "fault") throw new Error("it was a fault");
  expect(shown(decoded.fault.messages)).toEqual(shown(messages.slice(0, 320)));
});
