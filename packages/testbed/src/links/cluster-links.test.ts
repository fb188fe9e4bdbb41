import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { afterEach, expect, it } from "vitest";
import { LaunchError } from "../launch-error.ts";
import { ClusterLinks } from "./cluster-links.ts";

const servers: Server[] = [];
let links: ClusterLinks | undefined;
afterEach(async () => {
  await links?.close();
  for (const server of servers.splice(0)) server.close();
});

/** Listens, and sends its name on each connection. */
const greeter = async (name: string): Promise<readonly [string, number]> => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end(name);
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return [name, address.port];
};

const greeting = async (address: string): Promise<string> => {
  const [host = "", port] = address.split(":");
  const socket = connect({ host, port: Number(port) });
  const [bytes] = await once(socket, "data");
  socket.destroy();
  return String(bytes);
};

/** Links of two processes that call each other, and of further callers. */
const between = async (more: readonly (readonly [string, string])[] = []) => {
  const ports = new Map(await Promise.all(["a", "b"].map(greeter)));
  links = await ClusterLinks.between({ ports, callers: [["a", "b"], ["b", "a"], ...more] });
  return { ports, links };
};

it("each caller gets an address of its own for a process, and others get the process's own", async () => {
  const { ports, links } = await between([["c", "b"]]);
  const addresses = [links.addressOf("a", "b"), links.addressOf("c", "b"), links.addressOf("d", "b")];
  expect(new Set(addresses).size).toBe(3);
  expect(addresses[2]).toBe(`127.0.0.1:${ports.get("b")}`);
  expect(await Promise.all(addresses.map(greeting))).toEqual(["b", "b", "b"]);
  expect(await greeting(links.addressOf("b", "a"))).toBe("a");
});

it("two processes that call each other have two links and not four", async () => {
  const { links } = await between();
  // cuts the bytes from b, on the connections that either process opened
  links.link("b", "a").cut();
  const heard: string[] = [];
  for (const address of [links.addressOf("a", "b"), links.addressOf("b", "a")]) {
    const [host = "", port] = address.split(":");
    const socket = connect({ host, port: Number(port) });
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => heard.push(String(bytes)));
    await once(socket, "connect");
  }
  expect(await greeting(links.addressOf("c", "b"))).toBe("b");
  expect(heard).toEqual([]);
  links.link("b", "a").heal();
  expect(await greeting(links.addressOf("a", "b"))).toBe("b");
});

it("a link that does not exist is a LaunchError that names those that do", async () => {
  const [name, port] = await greeter("b");
  links = await ClusterLinks.between({ ports: new Map([[name, port]]), callers: [["a", "b"]] });
  const none = links;
  expect(() => none.link("a", "c")).toThrow(LaunchError);
  expect(() => none.link("a", "c")).toThrow("there is no link a → c");
});

it("added processes get links, and existing links keep their faults", async () => {
  const { ports, links } = await between();
  const before = links.addressOf("a", "b");
  const cut = links.link("a", "b");
  cut.cut();
  const more = new Map([...ports, await greeter("c")]);
  await links.extend({
    ports: more,
    callers: [
      ["a", "b"],
      ["b", "a"],
      ["a", "c"],
    ],
  });
  expect(links.addressOf("a", "b")).toBe(before);
  expect(links.link("a", "b")).toBe(cut);
  expect(await greeting(links.addressOf("a", "c"))).toBe("c");
  expect(links.addressOf("a", "c")).not.toBe(`127.0.0.1:${more.get("c")}`);
});
