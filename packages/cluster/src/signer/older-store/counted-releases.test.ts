import { testParty, testSessionId } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { MESSAGE_ATTEMPT_MS } from "../../coordinator/limits.ts";
import type { TestCluster } from "../../testing/cluster.ts";
import { stockOn } from "../../testing/drive.ts";
import { authoriseMessage, KEY_ID, type Part, severalOf } from "../../testing/fixtures.ts";
import { FROST_KEYS } from "../../testing/frost-records.ts";
import { MESSAGE, messageCluster, signMessageOn } from "../../testing/message-drive.ts";
import { MemberChange } from "../../testing/roster/member-change.ts";
import { authoriseSeveral, PARTS, severalCluster, signSeveralOn } from "../../testing/several.ts";
import { RECORDS } from "../records/record.ts";
import { SPENDING_KIND } from "./spending.ts";

const [EDWARDS] = FROST_KEYS;

/** Each signer's count of releases, and the count that the two others remember. */
const countsOf = (cluster: TestCluster) =>
  [1, 2, 3].map((signer) => {
    const own = cluster.node(signer).state?.spending.own;
    const others = [1, 2, 3].filter((other) => other !== signer);
    const remembered = others.map(
      (other) => cluster.node(other).state?.spending.peers.get(testParty(signer))?.count ?? 0,
    );
    return [own, ...remembered];
  });

const counted = (...own: readonly number[]) => own.map((count) => [count, count, count]);

test("a transaction that FROST alone signs is a release, and every peer hears of it ahead of the first commitment", () => {
  const cluster = severalCluster({ seed: "frost", engine: "tiny" });
  const parts = [{ scheme: "FROST-Ed25519", text: "all of it" }] as const;
  const signed = signSeveralOn(cluster, { isTiny: true, parts });
  cluster.until(() => signed.isClosed);
  const quorum = signed.result?.quorum ?? expect.fail("it is signed");
  cluster.rest(100);
  expect(countsOf(cluster)).toEqual(
    counted(...[1, 2, 3].map((signer) => Number(quorum.includes(testParty(signer))))),
  );
  for (const from of quorum) {
    const own = cluster.sent.filter((envelope) => envelope.from === from && envelope.payload[0] !== 2);
    const news = own.findIndex(({ kind, payload }) => kind === SPENDING_KIND && payload[0] === 1);
    expect(news).toBeGreaterThanOrEqual(0);
    expect(own.slice(0, news).filter(({ kind }) => kind !== SPENDING_KIND)).toEqual([]);
  }
});

test("a transaction of several parts is one release, unless presignatures of the pool are spent: then each is", () => {
  const cluster = severalCluster({ seed: "several", engine: "tiny" });
  const first = signSeveralOn(cluster, { isTiny: true });
  cluster.until(() => first.isClosed);
  const presignatures = stockOn(cluster, [
    [1, 2],
    [1, 2],
  ]);
  const before = countsOf(cluster).map(([own = 0]) => own);
  const authorisation = authoriseSeveral(2, [EDWARDS.keyId]);
  const second = signSeveralOn(cluster, { isTiny: true, authorisation, presignatures, seed: "2" });
  cluster.until(() => second.isClosed);
  cluster.rest(100);
  expect(before.reduce((sum, own) => sum + own, 0)).toBe(2);
  expect(second.result?.path.kind).toBe("pooled");
  const [one = 0, two = 0, three = 0] = before;
  expect(countsOf(cluster)).toEqual(counted(one + 2, two + 2, three));
});

test("signing a message is no release, as nothing is bound for it", () => {
  const cluster = messageCluster({ seed: "message", size: 3, threshold: 2, engine: "real" });
  const signed = signMessageOn(cluster);
  cluster.until(() => signed.isClosed);
  expect(signed.result).toBeDefined();
  expect(countsOf(cluster)).toEqual(counted(0, 0, 0));
});

/** Collects, when a signer announces a count, the count that its store has at that moment. */
const storedWhenHeard = (cluster: TestCluster): readonly number[] => {
  const heard: number[] = [];
  cluster.wire = (transit) => {
    const { kind, payload } = transit.envelope;
    if (kind === SPENDING_KIND && payload[0] === 1) {
      const record = RECORDS.spending.name(String(transit.from));
      const value = cluster.node(transit.from).records.get(record);
      heard.push(value === undefined ? 0 : RECORDS.spending.read({ record, value }).count);
    }
    return [transit];
  };
  return heard;
};

test.each<readonly [string, readonly Part[]]>([
  ["a transaction", PARTS],
  ["a transaction that FROST alone signs", [{ scheme: "FROST-Ed25519", text: "all of it" }]],
])("INV-4 the count of %s is on the disk before any peer hears of it", (what, parts) => {
  const cluster = severalCluster({ seed: what, engine: "tiny" });
  const heard = storedWhenHeard(cluster);
  const signed = signSeveralOn(cluster, { isTiny: true, parts });
  cluster.until(() => signed.isClosed);
  expect(new Set(heard)).toEqual(new Set([1]));
});

test("INV-4 the count of a key that is handed over is on the disk before any peer hears of it", () => {
  const change = new MemberChange("durable");
  change.begin({ parties: [1, 2, 3, 4, 5, 6, 7], leaving: [1, 2], joined: [6, 7], threshold: 3 });
  const heard = storedWhenHeard(change.cluster);
  change.handoversOf(change.withheld(), 3, 4, 5);
  change.cluster.rest(100);
  expect(new Set(heard)).toEqual(new Set([1]));
});

test.each([
  [
    "transaction that FROST alone signs",
    {
      keyId: KEY_ID,
      authorisation: authoriseSeveral(),
      unsigned: severalOf(7, [{ scheme: "FROST-Ed25519", text: "all of it" }]),
    },
  ],
  [
    "message",
    { keyId: EDWARDS.keyId, authorisation: authoriseMessage(MESSAGE, EDWARDS), unsigned: new Uint8Array(0) },
  ],
])("INV-4, INV-7 a %s is not begun before the store is confirmed", (_, asked) => {
  const cluster = severalCluster({ seed: "unconfirmed", engine: "tiny" });
  cluster.kill(2, 3);
  cluster.node(1).resume();
  const { heard } = cluster.call(1, (call) => ({
    kind: "signing",
    call,
    session: testSessionId("unconfirmed"),
    quorum: [1, 2],
    ...asked,
    presignatures: [],
    dead: undefined,
    expiresAtMs: cluster.world.nowMs() + MESSAGE_ATTEMPT_MS,
  }));
  cluster.rest(100);
  expect(heard).toMatchObject([{ kind: "refusal", problem: { code: "StoreUnconfirmed" } }]);
  expect(countsOf(cluster)[0]?.[0]).toBe(0);
});
