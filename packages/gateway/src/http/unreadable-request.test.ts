import { once } from "node:events";
import { connect } from "node:net";
import { processWorld } from "@conclave/platform";
import { freePort } from "@conclave/platform/testing";
import { OpenAPIHono } from "@hono/zod-openapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GatewayEnv } from "../dependencies.ts";
import { errorOf } from "../testing/bodies.ts";
import { type HttpServer, startHttpServer } from "./server.ts";

/** an address that no other server uses on the machines of tests; only the loopback interface is used */
const HOST = "127.0.0.1";
let server: HttpServer;
let port: number;
beforeAll(async () => {
  const app = new OpenAPIHono<GatewayEnv>();
  app.get("/endless", () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("part")) });
    return new Response(body);
  });
  app.all("*", async (c) => c.json({ read: (await c.req.text()).length }));
  port = await freePort();
  server = await startHttpServer(processWorld, app, { host: HOST, port });
});
afterAll(() => server.stop(0));

/** Everything that the server answers to these bytes until it closes the connection. */
const send = async (bytes: string) => {
  const socket = connect(port, HOST);
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part));
  socket.write(bytes);
  await once(socket, "close");
  const [head = "", body = ""] = Buffer.concat(parts).toString("utf8").split("\r\n\r\n", 2);
  const [line = "", ...headers] = head.split("\r\n");
  return { status: Number(line.split(" ")[1]), headers: headers.map((each) => each.toLowerCase()), body };
};

it("a connection is kept for a next request for longer than load balancers keep one", async () => {
  const socket = connect(port, HOST);
  socket.write("GET /wallets HTTP/1.1\r\nhost: localhost\r\n\r\n");
  const [head] = await once(socket, "data");
  socket.destroy();
  expect(String(head).toLowerCase()).toContain("keep-alive: timeout=75\r\n");
});

const HOSTED = "host: localhost\r\nconnection: close\r\n";
describe("INV-9 bytes that are no request are refused in JSON, like everything else:", () => {
  it.each([
    ["bytes that are no HTTP", "no http at all\r\n\r\n", 400, "MalformedRequest"],
    ["a method that is none", `FETCH /wallets HTTP/1.1\r\n${HOSTED}\r\n`, 400, "MalformedRequest"],
    ["a version that is none", `GET / HTTP/9.9\r\n${HOSTED}\r\n`, 400, "MalformedRequest"],
    [
      "a header with a space in its name",
      `GET / HTTP/1.1\r\n${HOSTED}a b: c\r\n\r\n`,
      400,
      "MalformedRequest",
    ],
    [
      "two lengths",
      `POST / HTTP/1.1\r\n${HOSTED}content-length: 1\r\ncontent-length: 2\r\n\r\na`,
      400,
      "MalformedRequest",
    ],
    ["no host", "GET / HTTP/1.1\r\nconnection: close\r\n\r\n", 400, "MalformedRequest"],
    [
      "a host that is none",
      "GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n",
      400,
      "MalformedRequest",
    ],
    ["a path that is none", `GET \\\\evil HTTP/1.1\r\n${HOSTED}\r\n`, 400, "MalformedRequest"],
    [
      "a chunk that is none",
      `POST / HTTP/1.1\r\n${HOSTED}transfer-encoding: chunked\r\n\r\nzz\r\n`,
      400,
      "MalformedRequest",
    ],
    [
      "headers of 20 kilobytes",
      `GET / HTTP/1.1\r\n${HOSTED}a: ${"b".repeat(20_000)}\r\n\r\n`,
      431,
      "HeadersTooLarge",
    ],
  ])("%s", async (_, bytes, status, code) => {
    const answer = await send(bytes);
    const error = errorOf(JSON.parse(answer.body));
    expect([answer.status, error.status, error.details.code]).toEqual([status, status, code]);
    expect(answer.headers).toContain("content-type: application/json");
    expect(answer.headers).toContain(`content-length: ${Buffer.byteLength(answer.body)}`);
    expect(answer.headers).toContain(`x-request-id: ${error.id}`);
  });

  it("but into an answer that is under way nothing is written", async () => {
    const socket = connect(port, HOST);
    let received = "";
    socket.on("data", (part) => {
      // an answer has begun; the bytes after it are no request
      if (received === "") socket.write("no http\r\n\r\n");
      received += part.toString("utf8");
    });
    socket.write("GET /endless HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await once(socket, "close");
    expect(received).toMatch(/^HTTP\/1.1 200 /);
    expect(received).not.toContain("MalformedRequest");
  });

  it("but an expectation that nobody knows is ignored", async () => {
    const answer = await send(`POST / HTTP/1.1\r\n${HOSTED}expect: wonders\r\ncontent-length: 2\r\n\r\nab`);
    expect([answer.status, answer.body]).toEqual([200, '{"read":2}']);
  });
});
