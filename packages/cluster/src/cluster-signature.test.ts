import type { ReadableContent, SignatureContent } from "@conclave/custody";
import { testSessionId } from "@conclave/threshold/testing";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { ChosenDigest, ObservedDigest } from "./compute/signing/observed-digest.ts";
import type { ComputeTask } from "./compute/task.ts";
import type { CallId } from "./control/session-key.ts";
import { inventoryOf } from "./coordinator/presigning/inventory.ts";
import type { SignerEffect } from "./signer/effect.ts";
import { listPresignatures } from "./signer/presigning/pool-status.ts";
import { RECORDS } from "./signer/records/record.ts";
import { stepSigner } from "./signer/signer.ts";
import type { SignerState } from "./signer/state.ts";
import { afterWrites } from "./testing/after-writes.ts";
import { TestCluster } from "./testing/cluster.ts";
import { signOn, stockOn } from "./testing/drive.ts";
import {
  authoriseSignature,
  authoriseTransfer,
  KEY_ID,
  keyIdOf,
  reader,
  transactionOf,
} from "./testing/fixtures.ts";
import type { TestAsked } from "./testing/signer-input.ts";
import { eventOf, livesIn, type SignerInput } from "./testing/signer-input.ts";

type BeginSigning = TestAsked<"signing">;

const HASH = "5a".repeat(32);
const RAW: SignatureContent = { kind: "hash", hash: HASH };
const readable = (content: ReadableContent["content"]): ReadableContent => ({
  kind: "readable",
  family: "Evm",
  content,
});
const transaction = (nonce: string): ReadableContent =>
  readable({ kind: "transaction", network: "EthereumSepolia", transaction: `${nonce}0102` });
const READABLE: readonly (readonly [string, ReadableContent])[] = [
  ["message", readable({ kind: "message", message: "00ff" })],
  [
    "typed-data",
    readable({
      kind: "eip712",
      typedData: {
        primaryType: "Box",
        types: { Box: [{ name: "it", type: "bool" }] },
        domain: {},
        message: { it: true },
      },
    }),
  ],
  ["transaction", transaction("07")],
];

const digestOf = (content: ReadableContent): Uint8Array => {
  const read = reader.readContent(content);
  const [signable] = read.ok ? read.value.signables : [];
  return signable?.bytes ?? expect.fail("the fixture reads everything");
};

/** State of one of three signers with two ready presignatures, made with signer 2; each test steps from it. */
const stocked = (() => {
  const cluster = new TestCluster({ seed: "signatures", size: 3, threshold: 2, engine: "tiny" });
  const [one] = stockOn(cluster, [[1, 2]]);
  const { state } = cluster.node(1);
  if (state === undefined || one === undefined) throw new Error("one was made");
  return { state, id: one.id, nowMs: cluster.world.nowMs() };
})();

const isCall = (text: string): text is CallId => text.startsWith("call");

const signing = (content: SignatureContent, change: Partial<BeginSigning> = {}): BeginSigning => {
  const call = "call-1";
  if (!isCall(call)) throw new Error("it is one");
  return {
    kind: "signing",
    call,
    session: testSessionId("one"),
    quorum: [1, 2],
    keyId: KEY_ID,
    authorisation: authoriseSignature(1, content),
    unsigned: new Uint8Array(0),
    presignatures: [],
    dead: undefined,
    expiresAtMs: stocked.nowMs + 20_000,
    ...change,
  };
};

const stepped = (input: SignerInput, state: SignerState = stocked.state) =>
  stepSigner(state, eventOf(input, livesIn(state)), stocked.nowMs);

const refusalIn = (effects: readonly SignerEffect[]): string | undefined => {
  const [effect] = effects;
  return effect?.kind === "report" && effect.report.kind === "refusal"
    ? effect.report.problem.code
    : undefined;
};
const refusalOf = (input: SignerInput): string | undefined => refusalIn(stepped(input).effects);

const tasksIn = (effects: readonly SignerEffect[]): readonly ComputeTask[] =>
  effects.flatMap((effect) => (effect.kind === "compute" ? [effect.task] : []));

describe("a message that is signed and not sent", () => {
  test.each(READABLE)(
    "INV-3 P7 is hashed by the signer itself, and may meet a presignature: a %s",
    (_name, content) => {
      const { effects } = stepped(signing(content, { presignatures: [stocked.id] }));
      const [task] = tasksIn(effects);
      expect(task).toMatchObject({
        kind: "open-pooled-signing",
        digest: { from: "content", bytes: digestOf(content) },
      });
    },
  );

  test.each(READABLE)(
    "INV-3 is taken from the authorisation alone: a %s with bytes beside it",
    (_from, content) => {
      expect(refusalOf(signing(content, { unsigned: transactionOf(7) }))).toBe("AuthorisationInvalid");
    },
  );

  test.each(READABLE)("INV-3 INV-8 is refused when one bit of it was changed: a %s", (_from, content) => {
    const { payload, signature } = authoriseSignature(1, content);
    const at = new TextDecoder().decode(payload).indexOf('"content"') + 40;
    const changed = payload.with(at, (payload[at] ?? 0) ^ 1);
    expect(refusalOf(signing(content, { authorisation: { payload: changed, signature } }))).toBe(
      "AuthorisationInvalid",
    );
  });

  test("INV-3 is refused for another key, and for one that the signer does not hold", () => {
    const other = authoriseSignature(1, RAW, keyIdOf(9));
    expect(refusalOf(signing(RAW, { authorisation: other }))).toBe("AuthorisationInvalid");
    expect(refusalOf(signing(RAW, { authorisation: other, keyId: keyIdOf(9) }))).toBe("KeyUnknown");
  });

  test("INV-4 binds the request to the nonce of its transaction, and to none when it is a message", () => {
    const bound = afterWrites(stepped(signing(transaction("07"), { presignatures: [stocked.id] })));
    const again = { session: testSessionId("two") };
    const other = signing(transaction("08"), again);
    expect(refusalIn(stepped(other, bound).effects)).toBe("TransactionNotExcluding");
    expect(refusalIn(stepped(signing(transaction("07"), again), bound).effects)).toBeUndefined();
    const message = readable({ kind: "message", message: "" });
    const { effects } = stepped(signing(message, { presignatures: [stocked.id] }));
    const records = effects.flatMap((effect) => (effect.kind === "batch" ? effect.puts : []));
    expect(records.map(({ record }) => RECORDS.request.idOf(record)).filter(Boolean)).toEqual([]);
    const spent = records.find(({ record }) => RECORDS.spent.idOf(record) !== undefined);
    expect(spent && RECORDS.spent.read(spent)).toMatchObject({
      requestId: "sig-aaaaa-bbbbb-0000000000000001",
    });
  });

  test("comes out of a whole cluster for each kind, and out of the pool where a signer reads it", () => {
    const contents = [...READABLE.map(([, content]) => content), RAW] as const;
    for (const content of contents) {
      const digest = content.kind === "hash" ? hexToBytes(HASH) : digestOf(content);
      const cluster = new TestCluster({
        seed: `signature/${bytesToHex(digest)}`,
        size: 3,
        threshold: 2,
        engine: "tiny",
      });
      const presignatures = content.kind === "hash" ? [] : stockOn(cluster, [[1, 2]]);
      const authorisation = authoriseSignature(1, content);
      const wish = { authorisation, digest, transaction: new Uint8Array(0), isTiny: true };
      const outcome = signOn(cluster, { ...wish, presignatures });
      cluster.until(() => outcome.isClosed);
      const path = content.kind === "hash" ? "interactive" : "pooled";
      expect(outcome.result).toMatchObject({ attempts: 1, path: { kind: path } });
    }
  });
});

describe("P7 a hash that somebody chose", () => {
  test("has no type that a presignature takes", () => {
    type Pooled = Extract<ComputeTask, { readonly kind: "open-pooled-signing" }>;
    expectTypeOf<ChosenDigest>().not.toExtend<Pooled["digest"]>();
    expectTypeOf<Pooled["digest"]>().toEqualTypeOf<ObservedDigest>();
  });

  test("is refused with a presignature, which stays as it was, and is signed by a session that makes its own", () => {
    const { state, effects } = stepped(signing(RAW, { presignatures: [stocked.id] }));
    expect(refusalIn(effects)).toBe("RawDigestRefused");
    expect(effects).toHaveLength(1);
    // it noted the date of the authorisation, and kept nothing else
    expect({ ...state, authorisedAtMs: undefined }).toEqual(stocked.state);
    const [task] = tasksIn(stepped(signing(RAW)).effects);
    expect(task).toMatchObject({ kind: "open-presigning", purpose: "request" });
  });

  test("is not turned into anything else: its authorisation fits no transaction, and no transaction's fits it", () => {
    const beside = { unsigned: hexToBytes(HASH), presignatures: [stocked.id] };
    expect(refusalOf(signing(RAW, beside))).toBe("AuthorisationInvalid");
    const unsigned = new TextEncoder().encode(JSON.stringify({ digest: HASH }));
    const asTransfer = { ...beside, unsigned, authorisation: authoriseTransfer(1) };
    expect(refusalOf(signing(RAW, asTransfer))).toBe("TransactionUnreadable");
  });

  test("meets no presignature on any signer when an orchestrator lies: nothing is signed and none is spent", () => {
    const cluster = new TestCluster({ seed: "raw", size: 3, threshold: 2, engine: "tiny" });
    const presignatures = stockOn(cluster, [
      [1, 2],
      [1, 3],
      [2, 3],
    ]);
    const before = cluster.ledger.partials.length;
    const outcome = signOn(cluster, {
      authorisation: authoriseSignature(1, RAW),
      digest: hexToBytes(HASH),
      transaction: new Uint8Array(0),
      presignatures,
      isTiny: true,
    });
    cluster.until(() => outcome.isClosed);
    expect(outcome.problem?.code).toBe("RawDigestRefused");
    expect(cluster.ledger.partials).toHaveLength(before);
    const nowMs = cluster.world.nowMs();
    const listings = new Map(
      [...cluster.nodes.values()].flatMap(({ self, state }) =>
        state === undefined ? [] : [[self, listPresignatures(state, nowMs)] as const],
      ),
    );
    expect(inventoryOf(listings, nowMs)).toHaveLength(3);
  });
});
