import { createServer, type Server } from "node:net";
import { afterEach, expect, it } from "vitest";
import { LaunchError } from "./launch-error.ts";
import { clusterPorts, PORTS_OF_A_CLUSTER } from "./ports.ts";

let holders: Server[] = [];
afterEach(() => {
  for (const holder of holders) holder.close();
  holders = [];
});

/** Holds a port, if nobody else does. */
const hold = (port: number): Promise<void> =>
  new Promise((resolve) => {
    const holder = createServer().once("error", () => resolve());
    holders.push(holder.listen(port, "127.0.0.1", resolve));
  });

const chosen = async (ports: "fixed" | "free" | { readonly first: number }) => {
  const said: string[] = [];
  const options = {
    gateways: 2,
    orchestrators: 2,
    ports,
    onProgress: ({ text }: { text: string }) => void said.push(text),
  };
  return { said, ports: await clusterPorts(options, [1, 2], ["Polygon", "Algorand"]) };
};

it("a cluster beside another one says in one line that its usual ports are taken", async () => {
  await Promise.all([8080, 8081, 8545].map(hold));
  const { said, ports } = await chosen("fixed");
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(
    /^\d+ of its usual ports are taken by other programs, .+ others listen on free ones/,
  );
  expect(ports.gateways[0]).not.toBe(8080);
});

it("a cluster with a first port has all of its ports in a row from there, each once, and says nothing", async () => {
  const first = 28_000;
  const { said, ports } = await chosen({ first });
  expect(ports.gateways[0]).toBe(first);
  const all = [
    ...[...ports.gateways, ...ports.orchestrators, ports.chain, ports.nats, ports.postgres],
    ...ports.signers.values(),
    ...[...ports.networks.values()].flatMap(({ port, adminPort }) => [port, adminPort]),
  ];
  expect(new Set(all).size).toBe(all.length);
  for (const port of all) expect(port >= first && port < first + PORTS_OF_A_CLUSTER, String(port)).toBe(true);
  expect(said).toEqual([]);
});

it("a cluster whose first port was asked for takes no others in place of those that are taken", async () => {
  const first = 28_400;
  await hold(first + 1);
  await expect(chosen({ first })).rejects.toThrow(LaunchError);
  await expect(chosen({ first })).rejects.toThrow(`${first + 1} of orchestrator`);
});
