import { expect, it } from "vitest";
import { clusterOptions } from "../options.ts";
import { clusterPorts } from "../ports.ts";
import { neighboursOf } from "./neighbours.ts";

const ask = async (request: object) => {
  const options = clusterOptions({
    state: "/nowhere",
    signers: 2,
    threshold: 2,
    orchestrators: 2,
    networks: ["Algorand"],
    links: "proxied",
    ...request,
  });
  return neighboursOf(options, await clusterPorts(options, [1, 2], ["Algorand"]));
};

const wordsOf = (callers: readonly (readonly [string, string])[]): readonly string[] =>
  callers.map(([from, to]) => `${from} → ${to}`).sort();

const AMONG_SIGNERS = ["signer-1 → signer-2", "signer-2 → signer-1"];
const ORCHESTRATORS = ["orchestrator", "orchestrator-2"];

it("signers call each other, orchestrators call signers, and services call the database, the bus and the nodes", async () => {
  const { callers, ports } = await ask({});
  const backing = ["anvil", "ledger-Algorand", "nats", "postgres"];
  expect(wordsOf(callers)).toEqual(
    [
      ...AMONG_SIGNERS,
      ...ORCHESTRATORS.flatMap((from) => ["signer-1", "signer-2"].map((to) => `${from} → ${to}`)),
      ...["gateway", ...ORCHESTRATORS].flatMap((from) => backing.map((to) => `${from} → ${to}`)),
    ].sort(),
  );
  expect([...ports.keys()].sort()).toEqual([...backing, "signer-1", "signer-2"].sort());
  expect(new Set(ports.values()).size).toBe(ports.size);
});

it("there is no proxy before what the caller supplied, nor anywhere when links are direct", async () => {
  const given = { databaseUrl: "postgres://elsewhere/name", evmRpcUrl: "https://elsewhere" };
  const { callers } = await ask(given);
  expect(callers.filter(([, to]) => to === "postgres" || to === "anvil")).toEqual([]);
  expect((await ask({ links: "direct" })).callers).toEqual([]);
});
