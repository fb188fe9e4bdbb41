import { TestCluster } from "../cluster.ts";
import { describeSignerLink } from "./link-conformance.ts";

describeSignerLink("memory", async () => {
  const cluster = new TestCluster({ seed: "link", size: 3, threshold: 2, engine: "tiny", records: "none" });
  return {
    link: cluster.link(),
    nowMs: cluster.world.nowMs,
    kill: async (signer) => cluster.kill(signer),
    until: async (condition) => cluster.until(condition),
    close: async () => undefined,
  };
});
