import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { expect, it } from "vitest";
import { z } from "zod";
import { makeCertificateAuthority, makeLeaf } from "../../certificates/authority.ts";
import { makePassphrase } from "../../certificates/loading.ts";
import { ConfigurationError } from "../../config/environment.ts";
import { freePort, freshDatabase } from "../../testing/index.ts";
import { openDatabase } from "../database.ts";
import { refusedConnection } from "./refused-connection.ts";

it("INV-9 a login that the database refuses is reported as a setting that is wrong", async () => {
  const url = new URL(await freshDatabase());
  url.pathname = "/nowhere";
  const database = openDatabase({ url: url.href, name: "test", maxConnections: 1 });
  const error: unknown = await database.rows(z.unknown(), "select 1").catch((thrown: unknown) => thrown);
  await database.close();
  expect(refusedConnection(error)).toBeInstanceOf(ConfigurationError);
  expect(String(refusedConnection(error))).toMatch(/refuses the login .*nowhere.*check DATABASE_URL/);
});

it("INV-9 a database's certificate that is not accepted is reported as a setting that is wrong", async () => {
  const passphrase = makePassphrase();
  const authority = await makeCertificateAuthority("unknown", new Date());
  const leaf = await makeLeaf(authority, { role: { kind: "orchestrator" }, passphrase, now: new Date() });
  const secure = { key: leaf.key, passphrase: passphrase.reveal(), cert: leaf.certificate };
  // imitates PostgreSQL up to the first answer, which accepts TLS
  const server = createServer((socket: Socket) => {
    socket.once("data", () => {
      socket.write("S");
      new TLSSocket(socket, { isServer: true, ...secure }).on("error", () => socket.destroy());
    });
    socket.on("error", () => socket.destroy());
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const url = `postgres://someone:secret@127.0.0.1:${port}/any?sslmode=verify-full`;
  const database = openDatabase({ url, name: "test", maxConnections: 1 });
  const error: unknown = await database.rows(z.unknown(), "select 1").catch((thrown: unknown) => thrown);
  await database.close();
  server.close();
  expect(refusedConnection(error)).toBeInstanceOf(ConfigurationError);
  expect(String(refusedConnection(error))).toMatch(/certificate is not accepted .*check sslrootcert/);
});

it("any other error stays what it is", () => {
  const other = Object.assign(new Error("disk full"), { code: "53100" });
  expect(refusedConnection(other)).toBe(other);
});
