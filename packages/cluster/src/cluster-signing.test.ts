import { expect, test } from "vitest";
import { TestCluster } from "./testing/cluster.ts";
import { signOn } from "./testing/drive.ts";

test("a quorum signs a transaction", () => {
  const cluster = new TestCluster({ seed: "signing" });
  const outcome = signOn(cluster);
  cluster.until(() => outcome.isClosed);
  expect(outcome.problem).toBeUndefined();
  expect(outcome.result?.attempts).toBe(1);
});
