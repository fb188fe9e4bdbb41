import { readFileSync } from "node:fs";
import type { SignedAuthorisation } from "@conclave/custody";
import { type PartyIndex, Secret } from "@conclave/threshold";
import { testParties, testParty, testSessionId } from "@conclave/threshold/testing";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { SessionReport } from "../../control/report.ts";
import type { CallId } from "../../control/session-key.ts";
import { TestCluster } from "../../testing/cluster.ts";
import { presignOn, signOn } from "../../testing/drive.ts";
import { authoriseDead, authoriseTransfer, type Records, reader, START_MS } from "../../testing/fixtures.ts";
import { allHeldKeys, allNextShares } from "../../testing/held-keys.ts";
import { signMessageOn } from "../../testing/message-drive.ts";
import { certificateAmong } from "../../testing/receipts.ts";
import { openAlone, type SignerInput } from "../../testing/signer-input.ts";
import { signerStatus } from "../signer.ts";
import { RECORDS, type StoredRecord } from "./record.ts";
import { upgradeRecord } from "./version-1.ts";

const VECTORS = new URL("../../../../../test/vectors/signer-records-0.1.json", import.meta.url);
/** Time after a start in which peers confirm the counts of releases. */
const CONFIRMED_MS = 5_000;
const DEADLINE_MS = 20_000;
/** Kinds of records that version 0.1 did not have. */
const LATER_KINDS = [
  "accepted",
  "quarantine",
  "envelope",
  "forgotten",
  "keyFacts",
  "keyTally",
  "latestBound",
  "pendingAuxiliary",
  "pendingKey",
  "signedBytes",
  "waiver",
];
/** Words of this version that differ from 0.1's. */
const WORDS: Readonly<Record<string, string>> = {
  signature: "signed",
  NonceConflict: "TransactionNotExcluding",
};

const bytes = z.string().transform((digits) => hexToBytes(digits));
const expectation = z.object({
  what: z.string(),
  /** name of one of the authorisations */
  authorisation: z.string(),
  unsignedTransaction: bytes,
  quorum: z.array(z.int()),
  presignature: z.string().optional(),
  session: bytes.optional(),
  /** "signature", or the code of the refusal, in the words of 0.1 */
  expect: z.string().transform((word) => WORDS[word] ?? word),
});
const keyStatus = z.object({
  keyId: z.string(),
  state: z.enum(["pending", "active"]),
  epoch: z.int(),
  publicKey: z.string(),
  isImported: z.boolean(),
  isExported: z.boolean(),
});
const nextStatus = z.object({ keyId: z.string(), epoch: z.int(), session: z.string(), digest: z.string() });
const status = z.object({
  auxiliary: z.object({ epoch: z.int(), digest: z.string() }),
  keys: z.array(keyStatus),
  next: z.array(nextStatus),
  presignaturesReady: z.int(),
});
const stored = {
  nowMs: z.int(),
  signers: z.record(z.string(), z.array(z.object({ record: z.string(), value: bytes }))),
  /** null for a signer that was dead at that moment */
  statuses: z.record(z.string(), status.nullable()),
};
const signing = { keyId: z.string(), publicKey: bytes, expectations: z.array(expectation) };
const kept = z
  .object({
    authorisations: z.record(z.string(), z.object({ payload: bytes, signature: bytes })),
    cluster: z.object({ size: z.int(), threshold: z.int() }),
    requestBoundByReplacement: z.object({ record: z.string() }),
    index: z.array(z.object({ kind: z.string(), scenario: z.string(), signer: z.int(), record: z.string() })),
    scenarios: z.object({
      signed: z.object({
        ...stored,
        ...signing,
        ready: z.array(
          z.object({ id: z.string(), keyId: z.string(), signers: z.array(z.int()), expiresAtMs: z.int() }),
        ),
      }),
      reserved: z.object({
        ...stored,
        ...signing,
        presignature: z.object({ id: z.string() }),
        reservation: z.object({
          state: z.literal("reserved"),
          tombstone: z.looseObject({ digest: z.string(), requestId: z.string() }),
        }),
      }),
      keys: z.object({
        ...stored,
        keys: z.array(
          z.object({ keyId: z.string(), what: z.string(), scheme: z.string(), publicKey: bytes }),
        ),
        messages: z.array(
          z.object({
            keyId: z.string(),
            scheme: z.enum(["FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"]),
            message: bytes,
            authorisation: z.string(),
          }),
        ),
      }),
    }),
  })
  .parse(JSON.parse(readFileSync(VECTORS, "utf8")));
const { signed, reserved, keys } = kept.scenarios;
const { size, threshold } = kept.cluster;
const SCENARIOS = [
  ["signed", signed],
  ["reserved", reserved],
  ["keys", keys],
] as const;

type Stored = Pick<typeof signed, "nowMs" | "signers">;

const recordsOf = ({ signers }: Stored): ReadonlyMap<PartyIndex, Records> =>
  new Map(
    testParties(size).map((party) => [
      party,
      new Map((signers[String(party)] ?? []).map(({ record, value }) => [record, new Secret(value)])),
    ]),
  );

/** Signers of this version that open a store of 0.1, at the time when it was stored. */
const openFrom = (from: Stored, seed: string): TestCluster => {
  const cluster = new TestCluster({ seed, size, threshold, records: recordsOf(from) });
  cluster.rest(from.nowMs - START_MS);
  return cluster;
};

const authorisationOf = (name: string): SignedAuthorisation =>
  kept.authorisations[name] ?? expect.fail(`there is no authorisation ${name}`);

const wordOf = (heard: readonly SessionReport[]): string | undefined => {
  const last = heard.at(-1);
  return last?.kind === "refusal" ? last.problem.code : last?.kind;
};

type Expectation = z.infer<typeof expectation>;

/** The answers of some signers to one command. */
const answers = (
  cluster: TestCluster,
  asked: Expectation,
  keyId: string,
  of: readonly number[],
  dead?: SignedAuthorisation,
) => {
  const { what, authorisation, unsignedTransaction: unsigned, quorum, presignature, session } = asked;
  const expiresAtMs = cluster.world.nowMs() + DEADLINE_MS;
  const calls = of.map((signer) =>
    cluster.call(signer, (call) => ({
      kind: "signing",
      call,
      session: session ?? testSessionId(what),
      quorum,
      keyId,
      authorisation: authorisationOf(authorisation),
      unsigned,
      presignatures: presignature === undefined ? [] : [presignature],
      dead,
      expiresAtMs,
    })),
  );
  cluster.rest(1_000);
  return calls.map(({ heard }) => wordOf(heard));
};

const readable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_name, it) => (it instanceof Uint8Array ? bytesToHex(it) : (it as unknown))),
  );
const byKey = <T extends { readonly keyId: string }>(list: readonly T[]): readonly T[] =>
  list.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1));
const textOf = ({ value }: Pick<StoredRecord, "value">): unknown =>
  JSON.parse(Buffer.from(value.reveal()).toString());
const listOf = (records: Records): readonly StoredRecord[] =>
  [...records].map(([record, value]) => ({ record, value }));
const recordOf = (records: Records, record: string): StoredRecord => ({
  record,
  value: records.get(record) ?? expect.fail(`there is no ${record}`),
});

describe("records of version 0.1", () => {
  test("are of every kind that there is, but for those that there were not yet", () => {
    const kinds = new Set(kept.index.map(({ kind }) => kind));
    expect([...kinds, ...LATER_KINDS].sort()).toEqual(Object.keys(RECORDS).sort());
  });

  test.each(SCENARIOS)("open into what the signers were: %s", (name, from) => {
    const cluster = new TestCluster({ seed: name, size, threshold, records: recordsOf(from) });
    for (const [signer, was] of Object.entries(from.statuses)) {
      if (was === null) continue;
      const node = cluster.node(Number(signer));
      const { state } = node;
      if (state === undefined) expect.fail("it lives");
      const { auxiliary, pool } = signerStatus(state);
      const fieldsOf = (list: readonly unknown[]) => byKey(z.array(keyStatus).parse(readable(list)));
      expect(readable(auxiliary)).toEqual({ ...was.auxiliary, pending: [] });
      expect(fieldsOf(allHeldKeys(node))).toEqual(byKey(was.keys));
      expect(byKey(z.array(nextStatus).parse(readable(allNextShares(node))))).toEqual(byKey(was.next));
      expect([pool.ready, pool.burnt >= was.presignaturesReady]).toEqual([0, true]);
    }
  });

  test.each(SCENARIOS)("are upgraded in one start, and a second start writes nothing: %s", (name, from) => {
    const cluster = new TestCluster({ seed: name, size, threshold, records: recordsOf(from) });
    for (const node of cluster.nodes.values()) {
      const written = listOf(node.records);
      for (const each of written) expect(upgradeRecord(each, reader)).toBeUndefined();
      const { effects } = openAlone((node.state ?? expect.fail("it lives")).config, written, (record) =>
        node.records.get(record),
      );
      expect(effects.filter(({ kind }) => kind !== "prepare")).toEqual([]);
    }
  });

  test("become what this version would have written, and nothing of them is lost but the nonce of a tombstone", () => {
    const [records = expect.fail("there are signers")] = recordsOf(signed).values();
    const seen = new Set<string>();
    for (const old of listOf(records)) {
      const [kind = ""] = old.record.split("/");
      const upgraded = upgradeRecord(old, reader);
      const before = z.looseObject({}).parse(textOf(old));
      if (upgraded === undefined) continue;
      seen.add(kind);
      expect(upgraded.record).toBe(old.record);
      const { nonce, ...rest } = before;
      const transactions = [{ exclusion: bytesToHex(utf8ToBytes(String(nonce))), digests: [] }];
      const kindly = kind === "request" ? { ...rest, version: 2, transactions } : { ...rest, version: 2 };
      expect(textOf(upgraded)).toEqual(kindly);
    }
    expect(seen).toEqual(new Set(["request", "tombstone", "spent"]));
  });

  test("that no version wrote stop the start still", () => {
    const [records = expect.fail("there are signers")] = recordsOf(signed).values();
    const { config } = new TestCluster({ seed: "strange", size, threshold }).node(1).state ?? expect.fail();
    for (const { record, value } of listOf(records)) {
      const fields = z.looseObject({}).parse(textOf({ value }));
      for (const change of [{ version: 0 }, { version: 3 }, { version: "1" }, { version: 1, nonce: "07" }]) {
        const strange = new Secret(utf8ToBytes(JSON.stringify({ ...fields, ...change })));
        expect(() => openAlone(config, [{ record, value: strange }], () => undefined)).toThrow(
          `the stored record ${record} is not readable by this version`,
        );
      }
    }
  });
});

describe("INV-2 INV-4 signers that open what 0.1 stored after it signed", () => {
  const cluster = openFrom(signed, "signed by 0.1");
  cluster.rest(CONFIRMED_MS);

  test.each(signed.expectations)("answer to $what: $expect", (asked) => {
    // 0.1 would have signed with presignatures in its store
    const isOfStore = asked.presignature !== undefined && asked.expect === "signed";
    const all = asked.quorum.map(() => (isOfStore ? "PresignatureUnknown" : asked.expect));
    expect(answers(cluster, asked, signed.keyId, asked.quorum)).toEqual(all);
  });

  test("believe no statement that names what they cannot: 0.1 kept no name of what it signed", () => {
    const asked =
      signed.expectations.find(({ what }) => what === "the first transfer again, with another nonce") ??
      expect.fail("it is asked");
    const same =
      signed.expectations.find(({ what }) => what === "the first transfer again, the same bytes") ??
      expect.fail("it is asked");
    const fresh = openFrom(signed, "dead of 0.1");
    fresh.rest(CONFIRMED_MS);
    const dead = authoriseDead(1, [same.unsignedTransaction]);
    const all = asked.quorum.map(() => asked.expect);
    expect(answers(fresh, asked, signed.keyId, asked.quorum, dead)).toEqual(all);
  });

  test("use none of the presignatures that wait in their stores, and keep none", () => {
    const fresh = openFrom(signed, "presignatures of 0.1");
    fresh.rest(CONFIRMED_MS);
    for (const { records } of fresh.nodes.values())
      expect([...records.keys()].filter((name) => RECORDS.presignature.idOf(name) !== undefined)).toEqual([]);
    const ready = signed.ready.map((each) => ({
      ...each,
      signers: testParties(size).filter((party) => each.signers.includes(party)),
    }));
    for (const [at, presignature] of ready.entries()) {
      const outcome = signOn(fresh, {
        request: 100 + at,
        publicKey: signed.publicKey,
        presignatures: [presignature],
        seed: `ready/${at}`,
      });
      fresh.until(() => outcome.isClosed);
      expect(outcome.result).toMatchObject({ path: { kind: "interactive" } });
    }
  });

  test("keep the nonce of a request that was bound by a replacement of it", () => {
    const { record } = kept.requestBoundByReplacement;
    const { records } = openFrom(signed, "bound by 0.1").node(1);
    const { transactions } = RECORDS.request.read(recordOf(records, record));
    expect(transactions).toEqual([{ exclusion: reader.exclusionOfNonce(9n), digests: [] }]);
  });
});

describe("INV-2 a signer that died with a presignature reserved", () => {
  test("buries it under the tombstone that was reserved with it, and uses it for nothing", () => {
    const cluster = openFrom(reserved, "reserved by 0.1");
    cluster.rest(CONFIRMED_MS);
    const { id } = reserved.presignature;
    const { records } = cluster.node(1);
    expect(records.has(RECORDS.presignature.name(id))).toBe(false);
    const { nonce: _, ...tombstone } = reserved.reservation.tombstone;
    expect(textOf(recordOf(records, RECORDS.spent.name(id)))).toEqual({ ...tombstone, version: 2 });
    for (const asked of reserved.expectations) {
      expect(answers(cluster, asked, reserved.keyId, [1])).toEqual([asked.expect]);
    }
  });

  test("does so too when it dies again before what it upgraded is written, or after", () => {
    for (const at of [0, 1, 2, 3]) {
      const node = new TestCluster({
        seed: `dies/${at}`,
        size,
        threshold,
        records: recordsOf(reserved),
      }).node(1);
      node.kill();
      node.restore(recordsOf(reserved).get(testParty(1)) ?? expect.fail());
      node.diesAt = at;
      node.start();
      if (!node.isAlive) node.start();
      const { id } = reserved.presignature;
      expect([...node.records.keys()].filter((name) => name.endsWith(id))).toEqual([RECORDS.spent.name(id)]);
    }
  });
});

describe("keys that 0.1 stored", () => {
  const cluster = openFrom(keys, "keys of 0.1");

  test("that are pending are activated, and next shares are adopted", () => {
    const answersTo = (event: (call: CallId) => SignerInput) =>
      testParties(size).map((signer) => {
        const { heard } = cluster.call(signer, event);
        cluster.rest(50);
        return heard.at(-1);
      });
    const pending = byKey(keys.statuses["1"]?.keys ?? []).filter(({ state }) => state === "pending");
    const next = keys.statuses["1"]?.next ?? [];
    expect([pending.length, next.length]).toEqual([4, 2]);
    for (const { keyId } of pending) {
      const words = answersTo((call) => ({ kind: "activate-key", call, keyId }));
      for (const word of words) expect(word).toMatchObject({ keyId, state: "active", epoch: 1 });
    }
    for (const { keyId } of next) {
      const certificate = certificateAmong(cluster, keyId) ?? expect.fail("all hold the next share");
      const words = answersTo((call) => ({ kind: "switch-epoch", call, certificate }));
      for (const word of words) expect(word).toMatchObject({ kind: "switched", subject: keyId, epoch: 2 });
    }
  });

  test("of ECDSA sign transactions: made, refreshed, brought, handed out, just activated, of the next epoch", () => {
    const ecdsa = keys.keys.filter(({ scheme }) => scheme === "CGGMP24");
    for (const [at, { keyId, publicKey }] of ecdsa.entries()) {
      const authorisation = authoriseTransfer(200 + at, keyId);
      const outcome = signOn(cluster, { keyId, publicKey, authorisation, seed: `key/${at}` });
      cluster.until(() => outcome.isClosed);
      expect([keyId, outcome.result?.attempts]).toEqual([keyId, 1]);
      const presigned = presignOn(cluster, [2, 3], `key/${at}`, keyId);
      cluster.until(() => presigned.isClosed);
      expect(presigned.result?.keyId).toBe(keyId);
    }
  });

  test.each(keys.messages)("of $scheme sign messages", ({ keyId, scheme, message, authorisation }) => {
    const { publicKey } = keys.keys.find((key) => key.keyId === keyId) ?? expect.fail();
    const wish = { key: { keyId, scheme } as const, message, publicKey };
    const outcome = signMessageOn(cluster, { ...wish, authorisation: authorisationOf(authorisation) });
    cluster.until(() => outcome.isClosed);
    expect(outcome.result).toBeDefined();
  });
});
