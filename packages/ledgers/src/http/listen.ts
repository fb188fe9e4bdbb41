import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { ConnectionBindings } from "./lost-reply.ts";

const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
const MOST_CONNECTIONS = 1_024;

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port */
  readonly port: number;
}

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Takes over a connection that upgrades to another protocol on the same port, such as WebSocket. */
export type TakeOver = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Serves routes; resolves once it listens. @param takeOver must close the connections that it takes over itself */
export const listenHttp = async (
  routes: Hono<ConnectionBindings>,
  { host, port }: ListenOptions,
  takeOver?: TakeOver,
): Promise<Listening> => {
  const options = { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS };
  const server = createServer(options, getRequestListener(routes.fetch));
  server.maxConnections = MOST_CONNECTIONS;
  if (takeOver !== undefined) server.on("upgrade", takeOver);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
