import { once } from "node:events";
import { createAdaptorServer } from "@hono/node-server";
import type { makeApplication } from "../application.ts";

/** a client that sends its request more slowly than this is not served */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
const MOST_CONNECTIONS = 4_096;
const SWEEP_MS = 50;

export interface HttpServer {
  /** Takes no more requests and waits for those under way, `graceMs` at most. */
  stop(graceMs: number): Promise<void>;
}

/** Serves the application; resolves once it listens. */
export const startHttpServer = async (
  app: ReturnType<typeof makeApplication>,
  listen: { readonly host: string; readonly port: number },
): Promise<HttpServer> => {
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS },
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.listen(listen.port, listen.host);
  await once(server, "listening");
  return {
    stop: async (graceMs) => {
      const closed = once(server, "close");
      server.close();
      const force = setTimeout(() => {
        if ("closeAllConnections" in server) server.closeAllConnections();
      }, graceMs);
      // a connection whose last answer has gone out is kept alive for the next request; there will be none
      const sweep = setInterval(() => {
        if ("closeIdleConnections" in server) server.closeIdleConnections();
      }, SWEEP_MS);
      await closed;
      clearTimeout(force);
      clearInterval(sweep);
    },
  };
};
