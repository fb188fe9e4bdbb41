import { rm } from "node:fs/promises";
import { describeSignerLink } from "@conclave/cluster/testing";
import { linkOver, Signers } from "@conclave/platform/coordination";
import { SignerClient } from "@conclave/platform/grpc";
import { type SilentProxy, startSilentProxy } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { afterAll, beforeAll, expect } from "vitest";
import type { RunningSigner } from "./signer.ts";
import { party, provision, settingsOf, startMember, type TestCluster } from "./testing/cluster.ts";

const THRESHOLD = 2;
const ALL = [party(1), party(2), party(3)];

let cluster: TestCluster;
let members: readonly RunningSigner[];
beforeAll(async () => {
  cluster = await provision(ALL.length, THRESHOLD);
  members = await Promise.all(ALL.map((index) => startMember(cluster, index)));
});
afterAll(async () => {
  for (const member of members) await member.stop();
  await rm(cluster.folder, { recursive: true });
});

describeSignerLink("gRPC", async () => {
  const tls = await cluster.member({ kind: "orchestrator" });
  const lines = new Map<number, SilentProxy>();
  for (const index of ALL) {
    lines.set(index, await startSilentProxy(`http://${cluster.addresses[index - 1]}`));
  }
  const clients = ALL.map((index) => {
    const { host } = new URL(lines.get(index)?.url ?? "");
    return new SignerClient({ index, address: host }, tls);
  });
  const { machine } = await settingsOf(cluster, 1);
  const entries = ALL.map((index) => ({
    index,
    id: `signer-${index}`,
    address: cluster.addresses[index - 1] ?? "",
    identityKey: "",
    encryptionKey: "",
  }));
  const signers = new Signers(processWorld, { threshold: machine.threshold, signers: entries }, clients);
  signers.start();
  const cut = async (index: number): Promise<void> => {
    await lines.get(index)?.stop();
    lines.delete(index);
  };
  return {
    link: linkOver(signers),
    nowMs: processWorld.nowMs,
    kill: cut,
    until: (condition) => expect.poll(condition).toBe(true),
    close: async () => {
      signers.close();
      for (const index of [...lines.keys()]) await cut(index);
    },
  };
});
