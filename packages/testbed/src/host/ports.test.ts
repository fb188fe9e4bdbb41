import { createServer } from "node:net";
import { expect, it, vi } from "vitest";
import { choosePorts, freePorts } from "./ports.ts";

const takenPort = async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { port: address.port, [Symbol.dispose]: () => server.close() };
};

it("free ports are all different, and none that an outgoing connection may take", async () => {
  const ports = await freePorts(20);
  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it("a port that one process was given is given to no other one, though nobody listens on it yet", async () => {
  const ours = await freePorts(500);
  vi.resetModules();
  const other = await import("./ports.ts");
  const theirs = await other.freePorts(500);
  expect(new Set([...ours, ...theirs]).size).toBe(1_000);
});

it("a port that another program holds is replaced, and the choice says which was taken", async () => {
  using held = await takenPort();
  const [choice] = await choosePorts({ gateway: held.port });
  expect(choice?.taken).toBe(held.port);
  expect(choice?.port).not.toBe(held.port);
});

it("a port that is free is taken as it was wanted", async () => {
  const [wanted = 0] = await freePorts(1);
  expect(await choosePorts({ gateway: wanted })).toEqual([{ name: "gateway", port: wanted }]);
});
