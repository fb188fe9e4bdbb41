import { once } from "node:events";
import { createServer } from "node:http";
import type { World } from "@conclave/custody";
import { getRequestListener } from "@hono/node-server";
import type { makeApplication } from "../application.ts";
import { refuseConnection, refuseRequest } from "./unreadable-request.ts";

/** limits for clients that send a request slowly */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Longer than load balancers keep a connection without a request: a gateway that closed it first would break the next one. */
const KEEP_ALIVE_MS = 75_000;
const MOST_CONNECTIONS = 4_096;
const SWEEP_MS = 50;

export interface HttpServer {
  /** Accepts no more requests, and waits for those under way, `graceMs` at most. */
  stop(graceMs: number): Promise<void>;
}

/** Serves the application; resolves once it listens. */
export const startHttpServer = async (
  world: World,
  app: ReturnType<typeof makeApplication>,
  listen: { readonly host: string; readonly port: number },
): Promise<HttpServer> => {
  const options = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // otherwise Node itself would answer a request without a Host header, and without a body
    requireHostHeader: false,
  };
  const server = createServer(options, getRequestListener(app.fetch, { errorHandler: refuseRequest(world) }));
  server.on("clientError", refuseConnection(world));
  // an unknown expectation may be ignored (RFC 9110, section 10.1.1); Node would refuse it without a body
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.maxConnections = MOST_CONNECTIONS;
  server.listen(listen.port, listen.host);
  await once(server, "listening");
  return {
    stop: async (graceMs) => {
      const closed = once(server, "close");
      server.close();
      const force = world.after(graceMs, () => server.closeAllConnections());
      // connections that are kept alive for a next request get none any more
      const sweep = world.every(SWEEP_MS, () => server.closeIdleConnections());
      await closed;
      force.stop();
      sweep.stop();
    },
  };
};
