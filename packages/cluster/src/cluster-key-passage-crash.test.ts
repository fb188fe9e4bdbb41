import { expect, test } from "vitest";
import { TestCluster } from "./testing/cluster.ts";
import { crashEverywhere, reviving } from "./testing/crashes.ts";
import { KEY_ID } from "./testing/fixtures.ts";
import { allHeldKeys } from "./testing/held-keys.ts";
import { exportOn, honestEnvelopes, importOn, PASSING_KEY } from "./testing/key-passage.ts";

const keysOf = (cluster: TestCluster, id: string) =>
  [...cluster.nodes.values()].map((node) =>
    !node.isAlive ? undefined : allHeldKeys(node).find(({ keyId }) => keyId === id),
  );

test("a signer that dies before any one of its effects in an import leaves the key active everywhere, or nowhere", () => {
  const envelopes = honestEnvelopes(3, 2);
  const open = () => new TestCluster({ seed: "crash-import", size: 3, threshold: 2, engine: "tiny" });
  const seen = new Set<string>();
  const crashes = crashEverywhere(
    open,
    (cluster) => {
      const outcome = importOn(cluster, { envelopes });
      reviving(cluster, () => outcome.isClosed);
      const end = outcome.result === undefined ? undefined : "active";
      const keys = keysOf(cluster, PASSING_KEY);
      expect(keys.map((key) => key?.state)).toEqual([end, end, end]);
      if (end === "active") expect(keys.map((key) => key?.isImported)).toEqual([true, true, true]);
      seen.add(String(end));
    },
    "power",
  );
  expect(crashes).toBeGreaterThan(15);
  expect(seen).toEqual(new Set(["active", "undefined"]));
});

test("a signer that dies before any one of its effects in an export has on record whatever left it", () => {
  const open = () => new TestCluster({ seed: "crash-export", size: 3, threshold: 2, engine: "tiny" });
  const crashes = crashEverywhere(
    open,
    (cluster) => {
      const outcome = exportOn(cluster, { keyId: KEY_ID }); // the ledger throws at an unrecorded export
      reviving(cluster, () => outcome.isClosed);
      const envelopes = outcome.result?.envelopes;
      expect(envelopes?.size).toBeGreaterThanOrEqual(2);
      const marked = keysOf(cluster, KEY_ID).map((key) => key?.isExported);
      expect([...(envelopes?.keys() ?? [])].every((signer) => marked[signer - 1] === true)).toBe(true);
    },
    "power",
  );
  expect(crashes).toBeGreaterThan(5);
});
