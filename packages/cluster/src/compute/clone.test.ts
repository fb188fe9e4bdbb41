import { inspect } from "node:util";
import { NO_MATERIAL, Secret } from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import {
  insecureAuxiliaryPrimes,
  insecurePartySecrets,
  insecurePeerKeys,
  testParties,
  testParty,
} from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { forClone, fromClone } from "./clone.ts";
import type { ComputeResult, ComputeTask, HostConfig } from "./task.ts";

const self = testParty(1);
const parties = testParties(3);
const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(3);
const secret = (): Secret<Uint8Array> => new Secret(new Uint8Array(40).fill(171));
const envelope = {
  session: bytes(32),
  round: 1,
  kind: 1,
  from: 2,
  to: 0,
  payload: bytes(5),
  signature: bytes(64),
};
const send = [envelope];

/** The message as the other thread receives it. */
const received = <T>(message: T): T => fromClone(structuredClone(forClone(message)));

/** Reveals secrets, which otherwise do not compare, for a comparison. */
const shown = (value: unknown): unknown => {
  if (value instanceof Secret) return ["secret", shown(value.reveal())];
  if (value instanceof Uint8Array) return ["bytes", ...value];
  if (value instanceof Map) return ["map", ...[...value].map(shown)];
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shown(field)]));
};

/** Messages of every kind; a missing kind does not compile. */
type OfEveryKind<T extends { readonly kind: string }> = {
  readonly [K in T["kind"]]: readonly Extract<T, { readonly kind: K }>[];
};

const tasks: OfEveryKind<ComputeTask> = {
  "open-auxiliary": [
    { kind: "open-auxiliary", parties, epoch: 3, primes: new Secret(insecureAuxiliaryPrimes(1)) },
  ],
  "open-key": [
    { kind: "open-key", parties, keyId: "key-1", scheme: "FROST-Taproot", threshold: 2, epoch: 1 },
  ],
  "open-import": [
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
  ],
  "seal-export": [
    {
      kind: "seal-export",
      scheme: "CGGMP24",
      key: secret(),
      encryptionKey: bytes(34),
      withChainCode: true,
    },
  ],
  "open-refresh": [{ kind: "open-refresh", parties, scheme: "CGGMP24", key: secret(), nextEpoch: 5 }],
  "open-reshare": [
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
  ],
  "open-presigning": [
    { kind: "open-presigning", purpose: "pool", signers: parties, key: secret(), auxiliary: secret() },
  ],
  "open-signing": [{ kind: "open-signing", digest: bytes(32) }],
  "export-presignature": [{ kind: "export-presignature" }],
  "open-pooled-signing": [
    {
      kind: "open-pooled-signing",
      id: "ab".repeat(32),
      presignature: secret(),
      key: { keyId: "key-1", epoch: 1 },
      digest: { from: "transaction", bytes: bytes(32) },
    },
  ],
  "open-frost": [
    { kind: "open-frost", signers: parties, scheme: "FROST-Ed25519", key: secret(), message: bytes(100) },
    {
      kind: "open-frost",
      signers: parties,
      scheme: "FROST-Taproot",
      key: secret(),
      message: bytes(32),
      merkleRoot: bytes(32),
    },
  ],
  deliver: [{ kind: "deliver", envelope }],
};

const results: OfEveryKind<ComputeResult> = {
  running: [
    { kind: "running", stage: "presign/2", send, awaiting: [testParty(2)], phase: 5 },
    { kind: "running", stage: "presign/2", send: [], awaiting: [], phase: 0, ignored: "duplicate" },
  ],
  auxiliary: [{ kind: "auxiliary", info: secret(), checksum: bytes(32), epoch: 2, digest: bytes(32), send }],
  key: [{ kind: "key", share: secret(), keyId: "key-1", publicKey: bytes(33), chainCode: bytes(32), send }],
  "key-changed": [
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
  ],
  "import-refused": [
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
  ],
  exported: [{ kind: "exported", envelope: bytes(281), publicKey: bytes(33) }],
  presigned: [{ kind: "presigned", send }],
  presignature: [{ kind: "presignature", id: "ab".repeat(32), presignature: secret() }],
  signature: [{ kind: "signature", signature: { r: 5n, s: 6n, recovery: 1 }, send }],
  "frost-signature": [{ kind: "frost-signature", signature: bytes(64), send }],
  fault: [
    {
      kind: "fault",
      fault: { culprit: testParty(2), check: "test", messages: [envelope], material: NO_MATERIAL },
      send,
    },
  ],
  abort: [{ kind: "abort", check: "joint" }],
  "dealer-released": [{ kind: "dealer-released", keyId: "key-1", epoch: 2, digest: bytes(32), send }],
};

const config: HostConfig = {
  self,
  parameters: INSECURE_TEST_PARAMETERS,
  peers: new Map(parties.map((party) => [party, insecurePeerKeys(party)])),
  secrets: new Secret(insecurePartySecrets(self)),
};

const messages = [
  ...Object.values(tasks).flat(),
  ...Object.values(results).flat(),
  { kind: "configuration", ...config },
];
const SHOW_ALL = { depth: 9, maxArrayLength: 1_000 };
const withDigits = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}` : value);

describe("a message between a pool and its worker", () => {
  test.each(Object.values(tasks).flat())("arrives as it was sent: the task $kind", (task) => {
    expect(shown(received(task))).toEqual(shown(task));
  });

  test.each(Object.values(results).flat())("arrives as it was sent: the result $kind", (result) => {
    expect(shown(received(result))).toEqual(shown(result));
  });

  test("arrives as it was sent: the configuration of a host", () => {
    expect(shown(received(config))).toEqual(shown(config));
  });

  test.each(messages)("INV-10 prints as it did before it was sent, without its secrets: $kind", (message) => {
    const arrived = inspect(received(message), SHOW_ALL);
    expect(arrived).toBe(inspect(message, SHOW_ALL));
    expect(arrived).not.toMatch(/171, 171|secret in clear/);
    expect(JSON.stringify(received(message), withDigits)).toBe(JSON.stringify(message, withDigits));
  });

  test("has what was written, when a secret is taken before the message leaves", () => {
    const presignature = secret();
    const sent = forClone({ presignature });
    presignature.take();
    expect(shown(fromClone(structuredClone(sent)))).toEqual(shown({ presignature: secret() }));
    expect(() => forClone({ presignature })).toThrow("a secret was used after it was taken");
  });

  test("takes bytes along without the rest of the buffer that they lie in", () => {
    const buffer = new Uint8Array(1_000).fill(9);
    const { part } = received({ part: buffer.subarray(10, 15) });
    expect([part.length, part.buffer.byteLength]).toEqual([5, 5]);
  });

  test("that holds an instance of another class is a defect, not a value", () => {
    expect(() => forClone({ at: new Date(0) })).toThrow(
      "an instance of Date does not survive structured clone",
    );
  });
});
