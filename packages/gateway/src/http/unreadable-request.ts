import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ERRORS, type ErrorCode, type Problem, problem, type World } from "@conclave/custody";
import { RequestError } from "@hono/node-server";
import { errorBodyOf } from "./problem-response.ts";

/** The errors of Node's HTTP parser and server for malformed requests. */
const BY_CODE: ReadonlyMap<string, ErrorCode> = new Map([
  ["HPE_HEADER_OVERFLOW", "HeadersTooLarge"],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "BodyTooLarge"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "RequestTooSlow"],
]);

const codeOf = (error: Error): string =>
  "code" in error && typeof error.code === "string" ? error.code : "unknown";

/** Answers malformed bytes on a connection in the form of all other errors, and closes it. */
export const refuseConnection =
  (world: World) =>
  (error: Error, socket: Duplex): void => {
    const reason = codeOf(error);
    if (reason === "ECONNRESET" || !socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const found = problem(BY_CODE.get(reason) ?? "MalformedRequest", { reason });
    const { status, headers, body } = rendered(world, found);
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, "connection: close"];
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
  };

/** Whether another answer is being written on the connection, so that nothing else may be; Node itself checks this field. */
const isAnswering = (socket: Duplex): boolean => {
  const message: unknown = Reflect.get(socket, "_httpMessage");
  return typeof message === "object" && message !== null && Reflect.get(message, "headersSent") === true;
};

/** Answers a request that parses as HTTP but is still invalid: without a host, or with a malformed path. */
export const refuseRequest =
  (world: World) =>
  (error: unknown): Response => {
    const found =
      error instanceof RequestError
        ? problem("MalformedRequest", { reason: error.message })
        : problem("Internal");
    const { status, headers, body } = rendered(world, found);
    return new Response(body, { status, headers });
  };

const rendered = (world: World, found: Problem) => {
  const id = world.freshUuid();
  const body = JSON.stringify(errorBodyOf(found, id));
  return {
    status: ERRORS[found.code].status,
    headers: {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "cache-control": "no-store",
      "x-request-id": id,
    },
    body,
  };
};
