import { type ChaosPlan, parsePlan } from "@conclave/chaos";
import { createWallet } from "@conclave/gateway";
import { insertFault } from "@conclave/platform";
import { afterEach, expect, it } from "vitest";
import { checkRun } from "../check/check-run.ts";
import { factsOf } from "./facts-of-run.ts";
import { load } from "./load.ts";
import { SimulatedCluster } from "./simulated-cluster.ts";

const SIZE = { signers: 3, threshold: 2, orchestrators: 1, gateways: 1 };
const END = { hasEnded: true };
const LASTS_MS = 8_000;

const planOf = (text: string): ChaosPlan => {
  const parsed = parsePlan(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return parsed.plan;
};

let cluster: SimulatedCluster;
afterEach(() => cluster.close());

it("INV-7 INV-9 INV-10 INV-11 finds in a world what is planted there, and nothing before", async () => {
  cluster = await SimulatedCluster.open({ ...SIZE, seed: "planted" });
  cluster.startAll();
  const { parts, observer, client, otherClient } = cluster;
  const loaded = await load(cluster, planOf("load 2 transfers a second for 4s by 2 wallets"), true);
  await cluster.pass(LASTS_MS);
  const violated = async (): Promise<readonly string[]> => {
    const found = checkRun(await factsOf(cluster, loaded, END));
    return [...new Set(found.map(({ invariant }) => invariant))];
  };

  const facts = await factsOf(cluster, loaded, END);
  expect(await violated()).toEqual([]);
  expect(cluster.asked.map(({ title }) => title)).toContain("transfer-1 of Beta");
  expect([facts.asked.length, facts.webhooks.length, facts.secrets.length > 20]).toEqual([8, 2, true]);
  expect(facts.tried.length).toBeGreaterThan(1);
  expect(new Set(facts.tried.map(({ isForeign }) => isForeign)).size).toBe(2);
  const places = facts.said.map(({ where }) => where).join("\n");
  for (const place of ["log of a gateway", "log of a signer", "insert", "store of signer-1", "of transfer-1"])
    expect(places).toContain(place);

  const fault = { culprit: 1, reporter: 2, checkName: "presign/2", protocol: "presigning" };
  const shown = { sessionId: new Uint8Array(32), keyId: undefined, proof: new Uint8Array(8) };
  await cluster.passing(insertFault(observer, { ...fault, ...shown, date: "2026-11-20T10:00:00.000Z" }));
  expect(await violated()).toEqual(["INV-7"]);

  const [wallet] = client.wallets;
  if (wallet === undefined) throw new Error("the client has a wallet");
  await cluster.passing(otherClient.list(wallet));
  expect(await violated()).toEqual(["INV-7", "INV-11"]);

  const [key] = parts.keys.secrets;
  parts.watch.said.add("a statement", [new Uint8Array(1), `a text with ${key?.shares[0]}`]);
  expect(await violated()).toEqual(["INV-7", "INV-10", "INV-11"]);

  const good = { network: wallet.network, externalId: "a wallet too many" };
  const ask = (...[dependencies, caller]: Parameters<Parameters<typeof client.tryHopeless>[0]["ask"]>) =>
    createWallet(dependencies, caller, good);
  await cluster.passing(client.tryHopeless({ name: "a wallet", isForeign: false, ids: [], ask }));
  expect(await violated()).toEqual(["INV-7", "INV-9", "INV-10", "INV-11"]);
}, 240_000);
