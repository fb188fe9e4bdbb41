import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ApiWallet, type Cluster, renewCertificates, stateLayout } from "@conclave/testbed";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "./funded-wallet.ts";
import { PATIENCE_MS } from "./patience.ts";
import { startCluster, stateFolder } from "./throw-away-cluster.ts";

const MEMBERS = ["signer-2", "orchestrator", "signer-1", "signer-3"];

const state = stateFolder();
let cluster: Cluster;
let wallet: ApiWallet;

beforeAll(async () => {
  // all three sign every transfer, so that any link that does not open fails a test
  cluster = await startCluster({ state, signers: 3, threshold: 3 });
  wallet = await makeFundedWallet(cluster);
});
afterAll(() => cluster?.stop());

const pay = async (): Promise<void> => {
  const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to: freshReceiver(), amount: "1" });
  await cluster.api.confirmed(asked, PATIENCE_MS);
};

const certificates = (): readonly string[] =>
  MEMBERS.map((id) => readFileSync(join(state, id, "tls.crt"), "utf8"));

it("INV-5 certificates are renewed in two halves, and while one process after the other shows its new one all signers sign", async () => {
  const before = certificates();
  const roster = readFileSync(stateLayout(state).roster, "utf8");
  const restart = async (member: string): Promise<void> => {
    await cluster.stopProcess(member);
    await cluster.restart(member);
  };
  await renewCertificates({ state, half: "prepare" });
  await Promise.all(MEMBERS.map(restart));
  await pay();
  await renewCertificates({ state, half: "switch" });
  for (const member of MEMBERS) {
    await restart(member);
    await pay();
  }
  expect(certificates().filter((certificate) => before.includes(certificate))).toEqual([]);
  expect(readFileSync(stateLayout(state).roster, "utf8")).toBe(roster);
});
