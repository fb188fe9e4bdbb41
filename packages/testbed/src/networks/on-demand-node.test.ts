import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { freePorts } from "@conclave/platform";
import { afterEach, expect, it } from "vitest";
import { type NodePorts, OnDemandNode } from "./on-demand-node.ts";

const servers: Server[] = [];
const nodes: OnDemandNode[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A small server in place of a node's process: it echoes what it receives. */
const serve = async (name: string): Promise<number> => {
  const server = createServer((request, response) => {
    request.setEncoding("utf8");
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => response.end(`${name} ${text}`));
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
};

const listen = async (start: () => Promise<NodePorts>): Promise<NodePorts> => {
  const [port = 0, adminPort = 0] = await freePorts(2);
  nodes.push(await OnDemandNode.listen({ port, adminPort }, start));
  return { port, adminPort };
};

const ask = async (port: number, body: string): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}`, { method: "POST", body })).text();

it("a node starts at the first call, once for all that come meanwhile, and each reaches its own port", async () => {
  let starts = 0;
  const { port, adminPort } = await listen(async () => {
    starts += 1;
    return { port: await serve("node"), adminPort: await serve("admin") };
  });
  expect(starts).toBe(0);
  const long = "x".repeat(300_000);
  expect(await Promise.all([ask(port, long), ask(port, "b"), ask(adminPort, "c")])).toEqual([
    `node ${long}`,
    "node b",
    "admin c",
  ]);
  expect(starts).toBe(1);
});

it("a start that fails ends the call; the next call tries again", async () => {
  let starts = 0;
  const { port } = await listen(async () => {
    starts += 1;
    if (starts === 1) throw new Error("no memory");
    return { port: await serve("node"), adminPort: 0 };
  });
  await expect(ask(port, "a")).rejects.toThrow("fetch failed");
  expect(await ask(port, "b")).toBe("node b");
});

it("calls to a node that has died end, and do not start it again", async () => {
  let starts = 0;
  const { port } = await listen(async () => {
    starts += 1;
    return { port: await serve("node"), adminPort: 0 };
  });
  await ask(port, "a");
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await expect(ask(port, "b")).rejects.toThrow("fetch failed");
  expect(starts).toBe(1);
});

it("at its end it listens no more, and open connections end", async () => {
  const { port } = await listen(async () => ({ port: await serve("node"), adminPort: 0 }));
  await ask(port, "a");
  const open = connect(port, "127.0.0.1");
  await once(open, "connect");
  const ended = once(open, "close");
  await nodes[0]?.close();
  await ended;
  await expect(ask(port, "b")).rejects.toThrow("fetch failed");
});
