import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { openGateway } from "./gateway.ts";

let server: Server;
let url: string;
let answers: readonly (readonly [number, unknown])[];
let paths: string[];
beforeEach(async () => {
  paths = [];
  server = createServer((request, response) => {
    paths.push(`${request.method} ${request.url}`);
    const [status, body] = answers[paths.length - 1] ?? [500, {}];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const privateKey = generateKeyPairSync("ed25519")
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const open = () => openGateway({ url, token: "token", credentialId: "credential", privateKey });

it("signs a user action for whatever changes something", async () => {
  const challenge = {
    challengeIdentifier: "one",
    challenge: "two",
    allowCredentials: { key: [{ id: "credential" }] },
  };
  answers = [
    [200, challenge],
    [200, { userAction: "signed" }],
    [200, { id: "wa-1" }],
  ];
  const wallet = await open()(z.object({ id: z.string() }), "POST", "/wallets", { network: "Tron" });
  expect(wallet).toEqual({ id: "wa-1" });
  expect(paths).toEqual(["POST /auth/action/init", "POST /auth/action", "POST /wallets"]);
});

it("passes on the gateway's words, its remedy and its details", async () => {
  const details = { code: "NetworkUnknown", remedy: "Use one of them.", networks: ["Tron"] };
  answers = [[400, { error: { id: "1", status: 400, message: "The network is not known.", details } }]];
  await expect(open()(z.unknown(), "GET", "/wallets")).rejects.toMatchObject({
    message: "The network is not known. (NetworkUnknown)",
    remedy: 'Use one of them.\ndetails.networks: ["Tron"]',
  });
});

it("prints no control characters of the gateway's answers", async () => {
  const details = { code: "InvalidBody", remedy: "\u009b2J", named: "\u009b2J" };
  answers = [[400, { error: { id: "1", status: 400, message: "\u009b2J", details } }]];
  await expect(open()(z.unknown(), "GET", "/wallets")).rejects.toMatchObject({
    message: "\u{FFFD}2J (InvalidBody)",
    remedy: '\u{FFFD}2J\ndetails.named: "\u{FFFD}2J"',
  });
});

it("says that a policy requires an approval", async () => {
  answers = [[202, { id: "cr-1" }]];
  await expect(open()(z.unknown(), "GET", "/wallets")).rejects.toThrow("a policy wants an approval first");
});

it("says that a gateway does not answer", async () => {
  server.close();
  await once(server, "close");
  await expect(open()(z.unknown(), "GET", "/wallets")).rejects.toThrow(
    `the gateway at ${url} does not answer`,
  );
});
