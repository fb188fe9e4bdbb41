import { createServer } from "node:net";
import { freePorts } from "@conclave/platform";
import { expect, it } from "vitest";
import { choosePorts } from "./ports.ts";

const takenPort = async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { port: address.port, [Symbol.dispose]: () => server.close() };
};

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
