import { generateKeyPairSync, sign } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { lastEventBytes, loadRoster, type Roster } from "@conclave/platform";
import { type ApiWallet, type Cluster, LaunchError, renewIdentity } from "@conclave/testbed";
import { loadAuthorityKey } from "@conclave/testbed/authority-key";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "./funded-wallet.ts";
import { PATIENCE_MS } from "./patience.ts";
import { startCluster, stateFolder } from "./throw-away-cluster.ts";

let cluster: Cluster;
let wallet: ApiWallet;
beforeAll(async () => {
  cluster = await startCluster({ signers: 3, threshold: 2, state: stateFolder() });
  wallet = await makeFundedWallet(cluster);
});
afterAll(() => cluster?.stop());

const pay = async (): Promise<void> => {
  const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to: freshReceiver(), amount: "1" });
  await cluster.api.confirmed(asked, PATIENCE_MS);
};

const pids = (): ReadonlyMap<string, number> => new Map(cluster.status().map(({ name, pid }) => [name, pid]));

const restarted = (before: ReadonlyMap<string, number>): readonly string[] =>
  [...pids()].flatMap(([name, pid]) => (before.get(name) === pid ? [] : [name])).sort();

const SERVICES = ["gateway", "orchestrator", "signer-1", "signer-2", "signer-3"];

/** Adds a history entry without effect to the roster file. */
const lengthenHistory = async (): Promise<Roster> => {
  const roster = await loadRoster(cluster.layout.roster);
  const key = await loadAuthorityKey(cluster.layout, roster);
  const entry = {
    renewals: roster.renewals?.length ?? 0,
    threshold: roster.threshold,
    added: [],
    removed: [],
    date: new Date().toISOString(),
    signature: "",
  };
  const changes = [...(roster.changes ?? []), entry];
  const signature = sign(null, lastEventBytes({ ...roster, changes }), key).toString("hex");
  const next = { ...roster, changes: [...changes.slice(0, -1), { ...entry, signature }] };
  writeFileSync(cluster.layout.roster, JSON.stringify(next));
  return next;
};

describe("a roster that is applied to a running cluster", () => {
  it("starts no process again that runs by it", async () => {
    const before = pids();
    const said: string[] = [];
    await cluster.applyRoster((line) => said.push(line));
    expect(said).toEqual(["all processes run by this roster already"]);
    expect(restarted(before)).toEqual([]);
  });

  it("INV-5 starts gateway, orchestrator and signers again, one after the other, while transfers are paid", async () => {
    const before = pids();
    const next = await lengthenHistory();
    const said: string[] = [];
    const paying = pay();
    await cluster.applyRoster((line) => said.push(line));
    await paying;
    expect(said).toEqual(SERVICES.map((name) => `${name} runs by the roster`));
    expect(restarted(before)).toEqual(SERVICES);
    expect(await loadRoster(cluster.layout.roster)).toEqual(next);
    await pay();
  });

  it("starts a signer first that was renewed, and the others know it by its new identity", async () => {
    await cluster.stopProcess("signer-2");
    rmSync(cluster.layout.signer(2), { recursive: true });
    await renewIdentity(cluster.layout.root, "signer-2");
    const said: string[] = [];
    await cluster.applyRoster((line) => said.push(line));
    expect(said.slice(2)).toEqual(
      ["signer-2", "signer-1", "signer-3"].map((name) => `${name} runs by the roster`),
    );
    const states = await cluster.signerStates();
    expect(states.map(({ state }) => state)).not.toContain("not answering");
    await pay(); // with the two signers that still have their shares
  });

  it("INV-9 of another cluster is refused, and no process is started again", async () => {
    const roster = readFileSync(cluster.layout.roster, "utf8");
    const before = pids();
    writeFileSync(cluster.layout.roster, roster.replaceAll(cluster.description.clusterId, "cluster-other"));
    await expect(cluster.applyRoster()).rejects.toThrow();
    const { publicKey } = generateKeyPairSync("ed25519");
    const { x = "" } = publicKey.export({ format: "jwk" });
    const { changes: _, renewals: __, ...bare } = await loadRosterText(roster);
    const authorityKey = Buffer.from(x, "base64url").toString("hex");
    writeFileSync(cluster.layout.roster, JSON.stringify({ ...bare, authorityKey }));
    await expect(cluster.applyRoster()).rejects.toBeInstanceOf(LaunchError);
    expect(restarted(before)).toEqual([]);
    writeFileSync(cluster.layout.roster, roster);
    await cluster.applyRoster();
  });
});

const loadRosterText = async (text: string): Promise<Roster> => {
  writeFileSync(cluster.layout.roster, text);
  return loadRoster(cluster.layout.roster);
};
