import { testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import type { TestCluster } from "../../testing/cluster.ts";
import { stockOn } from "../../testing/drive.ts";
import { FROST_KEYS } from "../../testing/frost-records.ts";
import { messageCluster, signMessageOn } from "../../testing/message-drive.ts";
import { authoriseSeveral, severalCluster, signSeveralOn } from "../../testing/several.ts";
import { SPENDING_KIND } from "./spending.ts";

const [EDWARDS] = FROST_KEYS;

/** How much each signer released, and how much the two others remember of it. */
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

test("a message is none: nothing is bound for it", () => {
  const cluster = messageCluster({ seed: "message", size: 3, threshold: 2, engine: "real" });
  const signed = signMessageOn(cluster);
  cluster.until(() => signed.isClosed);
  expect(signed.result).toBeDefined();
  expect(countsOf(cluster)).toEqual(counted(0, 0, 0));
});
