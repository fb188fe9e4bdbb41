import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { organisationIdSchema, tokenIdSchema, userIdSchema } from "@conclave/custody";
import {
  freshId,
  issueToken,
  loadSigningKey,
  makeLogger,
  makePassphrase,
  makeSigningKey,
  makeWebhookKey,
  openDatabase,
  processWorld,
} from "@conclave/platform";
import {
  freePort,
  type NatsServer,
  type PostgresServer,
  startNatsServer,
  startPostgresServer,
} from "@conclave/platform/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { readGatewayConfig } from "./config.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { errorOf, listOf } from "./testing/bodies.ts";

/** The thread runs the compiled code. */
const PARTS = {
  families: FAMILIES,
  nodes: NODES,
  readingScript: new URL("../dist/reading/worker.js", import.meta.url),
};
const hex = (fill: string) => fill.repeat(64);
const logger = makeLogger({ name: "gateway", level: "silent" });
const orgId = freshId(organisationIdSchema, "or");
const userId = freshId(userIdSchema, "us");
const publicKey = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString();

let folder: string;
let postgres: PostgresServer;
let nats: NatsServer;
let environment: Record<string, string>;
let gateway: Gateway;
let token: string;
let port: number;

const rosterOf = (authorityKey: string) => ({
  clusterId: "test",
  parameters: "INSECURE-TEST",
  threshold: 2,
  authorityKey,
  signers: [1, 2].map((index) => ({
    index,
    id: `signer-${index}`,
    address: `127.0.0.1:${index}`,
    identityKey: hex(`${index}`),
    encryptionKey: hex(`${index + 2}`),
  })),
});

const NETWORKS = [
  {
    network: "EthereumSepolia",
    family: "Evm",
    chainId: 11_155_111,
    rpcUrl: "http://127.0.0.1:1",
    confirmations: 1,
    feeCap: "100000000000000000",
  },
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "conclave-gateway-"));
  [postgres, nats, port] = await Promise.all([startPostgresServer(), startNatsServer(), freePort()]);
  const passphrase = makePassphrase();
  const authority = makeSigningKey(passphrase);
  const tokens = makeSigningKey(passphrase);
  const files: readonly (readonly [string, string])[] = [
    ["roster.json", JSON.stringify(rosterOf(Buffer.from(authority.publicKey).toString("hex")))],
    ["networks.json", JSON.stringify(NETWORKS)],
    ["authority.key", authority.key],
    ["token.key", tokens.key],
    ["passphrase.key", passphrase.reveal()],
    ["webhook.key", makeWebhookKey().reveal()],
    ["credentials.json", JSON.stringify([{ credId: "dev", orgId, userId, name: "dev", publicKey }])],
  ];
  for (const [name, content] of files) await writeFile(join(folder, name), content, { mode: 0o600 });
  environment = {
    CONCLAVE_LISTEN: `127.0.0.1:${port}`,
    DATABASE_URL: (await postgres.createDatabase()).url,
    CONCLAVE_NATS_URL: nats.url,
    CONCLAVE_NATS_TOKEN: nats.token,
    CONCLAVE_GATEWAY_DIR: folder,
    CONCLAVE_KEY_FILE: join(folder, "passphrase.key"),
    CONCLAVE_ROSTER: join(folder, "roster.json"),
    CONCLAVE_NETWORKS: join(folder, "networks.json"),
    CONCLAVE_BOOTSTRAP_ORGANISATION: `${orgId}:Acme: the company`,
    CONCLAVE_BOOTSTRAP_CREDENTIALS: join(folder, "credentials.json"),
  };
  gateway = await startGateway(readGatewayConfig(environment), logger, processWorld, PARTS);
  const key = loadSigningKey(tokens.key, passphrase);
  if (!key.ok) throw new Error(key.problem.message);
  token = await issueToken(key.value, {
    clusterId: "test",
    caller: {
      orgId,
      userId,
      tokenKind: "Token",
      tokenId: freshId(tokenIdSchema, "to"),
    },
    username: "dev",
    issuedAt: new Date(),
    lifetimeSeconds: 600,
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([postgres.stop(), nats.stop(), rm(folder, { recursive: true, force: true })]);
});

const call = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });

describe("a gateway", () => {
  it("serves the organisation that it was started with", async () => {
    const answer = await call("/wallets");
    expect([answer.status, listOf(await answer.json()).items]).toEqual([200, []]);
  });

  it("says that it serves while the database and the bus answer", async () => {
    expect(await (await call("/health")).json()).toEqual({
      status: "serving",
      parts: { database: true, "message bus": true, clock: true },
    });
  });

  it("INV-5 serves without the message bus, says that it is away, and finds it again once it is back", async () => {
    await nats.kill();
    const health = async () => (await call("/health")).json();
    const eventually = { timeout: 20_000, interval: 20 };
    const busIs = (isThere: boolean) =>
      vi.waitFor(
        async () =>
          expect(await health()).toMatchObject({ status: "serving", parts: { "message bus": isThere } }),
        eventually,
      );
    await busIs(false);
    expect((await call("/wallets")).status).toBe(200);
    await nats.start();
    await busIs(true);
  });

  it("INV-9 refuses a body that goes over the limit while it is still being sent", async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    });
    const answer = await fetch(`http://127.0.0.1:${port}/wallets`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: endless,
      duplex: "half",
    });
    expect([answer.status, errorOf(await answer.json()).details.code]).toEqual([413, "BodyTooLarge"]);
  });

  it.each([
    "TRACE /wallets HTTP/1.1",
    "GET http:// HTTP/1.1",
    "GET //// HTTP/1.1",
    "FOO / HTTP/1.1",
    "GET /%zz HTTP/1.1",
  ])("INV-9 answers the request line %j without a 5xx, and lives on", async (line) => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () =>
        socket.write(`${line}\r\nhost: x\r\nconnection: close\r\n\r\n`),
      );
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString("utf8");
      });
      socket.on("end", () => resolve(text));
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await call("/wallets")).status).toBe(200);
  });
});

describe("a gateway does not start", () => {
  it("K8 without the file of the thread that reads long bodies, and names it", async () => {
    const readingScript = new URL("absent.js", import.meta.url);
    const config = readGatewayConfig({ ...environment, CONCLAVE_LISTEN: `127.0.0.1:${await freePort()}` });
    await expect(startGateway(config, logger, processWorld, { ...PARTS, readingScript })).rejects.toThrow(
      /The thread that reads long bodies cannot start from .*absent\.js: ENOENT/,
    );
  });

  it("at a port that is taken, and leaves no connection to its database open", async () => {
    const { url } = await postgres.createDatabase();
    const config = readGatewayConfig({ ...environment, DATABASE_URL: url });
    await expect(startGateway(config, logger, processWorld, PARTS)).rejects.toThrow(/EADDRINUSE/);
    const observer = openDatabase({ url, name: "observer" });
    onTestFinished(() => observer.close());
    const others = () =>
      observer.rows(
        z.object({ application_name: z.string() }),
        "select application_name from pg_stat_activity where datname = current_database() and application_name = 'gateway'",
      );
    await expect.poll(others).toEqual([]);
  });

  it("without its environment, and names every variable with its remedy", () => {
    const { DATABASE_URL, CONCLAVE_ROSTER, ...rest } = environment;
    expect(() => readGatewayConfig({ ...rest, CONCLAVE_LISTEN: "nowhere" })).toThrow(
      /CONCLAVE_LISTEN: is not host:port\. Set host:port[\s\S]*DATABASE_URL: is not set\. Set the PostgreSQL[\s\S]*CONCLAVE_ROSTER: is not set/,
    );
  });

  it("INV-10 and does not show the values of variables that are wrong", () => {
    const secret = "hunter2-with-a-space in it";
    expect(() => readGatewayConfig({ ...environment, DATABASE_URL: secret })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
    );
  });

  it("with a secret's file that is not there; one that is there counts", () => {
    const { CONCLAVE_NATS_TOKEN, ...rest } = environment;
    expect(() => readGatewayConfig({ ...rest, CONCLAVE_NATS_TOKEN_FILE: "/nowhere/token" })).toThrow(
      "CONCLAVE_NATS_TOKEN_FILE names /nowhere/token, which cannot be read",
    );
    const apart = { ...environment, DATABASE_URL: "postgres://conclave@db/one", DATABASE_PASSWORD: "p@ss" };
    expect(readGatewayConfig(apart).DATABASE_URL).toBe("postgres://conclave:p%40ss@db/one");
  });

  it("with a passphrase that does not open its keys", async () => {
    const { CONCLAVE_KEY_FILE, ...rest } = environment;
    const config = readGatewayConfig({ ...rest, CONCLAVE_PASSPHRASE: "not the right one" });
    await expect(startGateway(config, logger, processWorld)).rejects.toThrow(
      /authority\.key: The passphrase does not open/,
    );
  });

  it("with the authority key of another cluster", async () => {
    const passphrase = makePassphrase();
    const other = await mkdtemp(join(folder, "other-"));
    await writeFile(join(other, "passphrase.key"), passphrase.reveal());
    for (const file of ["authority.key", "token.key"]) {
      await writeFile(join(other, file), makeSigningKey(passphrase).key);
    }
    const config = readGatewayConfig({
      ...environment,
      CONCLAVE_GATEWAY_DIR: other,
      CONCLAVE_KEY_FILE: join(other, "passphrase.key"),
    });
    await expect(startGateway(config, logger, processWorld)).rejects.toThrow(/authority\.key is not the key/);
  });
});
