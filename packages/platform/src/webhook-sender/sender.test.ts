import { createServer, Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { Secret } from "@conclave/threshold";
import { afterEach, describe, expect, it } from "vitest";
import type { HeardDelivery } from "../testing/memory-endpoints.ts";
import { describeSender, SENT_EVENT } from "../testing/sender-conformance.ts";
import { processWorld } from "../world.ts";
import { makeWebhookSecret, makeWebhookSecrets } from "./secrets.ts";
import { makeSender } from "./sender.ts";

const IMPATIENT_MS = 250;

const servers: TcpServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    if (server instanceof Server) server.closeAllConnections();
    server.close();
  }
});

const endpoint = async (status: number | "silent" | "closed", location?: string) => {
  const heard: HeardDelivery[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const signature = request.headers["x-dfns-webhook-signature"];
    heard.push({ signature: String(signature), body: Buffer.concat(chunks).toString("utf8") });
    if (status === "silent") return;
    if (status === "closed") {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, location === undefined ? {} : { location }).end("whatever");
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: urlOf(server), heard };
};

const urlOf = (server: TcpServer): string => {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}/hook`;
};

/** An endpoint that sends this text to every client, whatever the request, and closes. */
const stranger = async (answer: string) => {
  const server = createTcpServer((socket) => socket.on("error", () => undefined).end(answer));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: urlOf(server) };
};

const send = makeSender({ allowPrivateAddresses: true });

describeSender("HTTP", () => ({
  send,
  impatient: makeSender({ allowPrivateAddresses: true, answerMs: IMPATIENT_MS }),
  endpoint,
  nowhere: "http://127.0.0.1:1/",
  settled: (sending) => sending,
}));

describe("a sender over HTTP", () => {
  it.each([
    [
      "switches protocols",
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    ],
    ["answers no HTTP", "220 mail.example.org ESMTP\r\n"],
  ])("is done with an endpoint that %s", async (_, answer) => {
    const { url } = await stranger(answer);
    expect(await send(url, "s", SENT_EVENT)).toMatchObject({ kind: "unreached" });
  });

  it.each([
    "http://127.0.0.1:1/",
    "http://[::1]:1/",
    "http://localhost:1/",
    "http://2130706433:1/",
    "http://0x7f.1:1/",
  ])("reaches no private address where that is not allowed: %s", async (url) => {
    const careful = makeSender({ allowPrivateAddresses: false });
    expect(await careful(url, "s", SENT_EVENT)).toMatchObject({ kind: "unreached", code: "PRIVATE_ADDRESS" });
  });
});

describe("the secret of a webhook", () => {
  it("is whs- and 32 letters and digits, and another one each time", () => {
    const [first, second] = [
      makeWebhookSecret(processWorld.entropy).reveal(),
      makeWebhookSecret(processWorld.entropy).reveal(),
    ];
    expect(first).toMatch(/^whs-[0-9A-Za-z]{32}$/);
    expect(second).not.toBe(first);
  });

  it("INV-10 lies sealed in the database, for its own webhook alone", () => {
    const secrets = makeWebhookSecrets(new Secret(new Uint8Array(32).fill(7)));
    const secret = makeWebhookSecret(processWorld.entropy);
    const sealed = secrets.seal("wh-1", secret);
    expect(Buffer.from(sealed).includes(secret.reveal())).toBe(false);
    expect(secrets.open("wh-1", sealed)?.reveal()).toBe(secret.reveal());
    expect(secrets.open("wh-2", sealed)).toBeUndefined();
    expect(makeWebhookSecrets(new Secret(new Uint8Array(32).fill(8))).open("wh-1", sealed)).toBeUndefined();
  });
});
