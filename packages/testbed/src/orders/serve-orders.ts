import { once } from "node:events";
import { chmodSync, lstatSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { LaunchError } from "../launch-error.ts";
import { ORDER_BYTES_MAX, type Order, type OrderReport, orderSchema, orderSocket } from "./order.ts";

const OWNER_ONLY = 0o600;
const OWNERS_FOLDER = 0o700;
const BODY_MS = 5_000;

/** Carries out an order. @param say called with its progress, for people */
export type CarryOut = (order: Order, say: (line: string) => void) => Promise<void>;

/** Accepts orders on a Unix socket. */
export interface OrderService {
  /** Stops accepting orders, and resolves once the last one has ended. */
  close(): Promise<void>;
}

/** Removes a socket that a crash left. The folder and the files in it must belong to this user only. */
const clear = (run: string, path: string): void => {
  const folder = lstatSync(run);
  if (!folder.isDirectory() || folder.uid !== process.getuid?.()) {
    throw new LaunchError(`${run} is no folder of this user`, "Remove it, and start the cluster again.");
  }
  chmodSync(run, OWNERS_FOLDER);
  const left = lstatSync(path, { throwIfNoEntry: false });
  if (left !== undefined && !left.isSocket()) {
    throw new LaunchError(`${path} is no socket`, "Remove it, and start the cluster again.");
  }
  rmSync(path, { force: true });
};

const readOrder = async (request: IncomingMessage): Promise<Order | undefined> => {
  if (request.method !== "POST" || request.url !== "/orders") return undefined;
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    if (!(piece instanceof Buffer)) return undefined;
    length += piece.length;
    if (length > ORDER_BYTES_MAX) return undefined;
    pieces.push(piece);
  }
  try {
    return orderSchema.safeParse(JSON.parse(Buffer.concat(pieces).toString("utf8"))).data;
  } catch {
    return undefined;
  }
};

const failed = (cause: unknown): OrderReport => ({
  kind: "failed",
  message: cause instanceof Error ? cause.message : String(cause),
  remedy: cause instanceof LaunchError ? cause.remedy : "See the logs of the cluster.",
});

const NO_ORDER = new LaunchError(
  "that is no order",
  "Use the conclave of the version that runs the cluster.",
);
const BUSY = new LaunchError("another order is being carried out", "Give it again once that one is done.");

/** Carries out one order at a time, and refuses further ones meanwhile. */
class OrderTaker {
  readonly #carryOut: CarryOut;
  #current: Promise<void> | undefined;

  constructor(carryOut: CarryOut) {
    this.#carryOut = carryOut;
  }

  get current(): Promise<void> | undefined {
    return this.#current;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (report: OrderReport): void => {
      if (!response.destroyed) response.write(`${JSON.stringify(report)}\n`);
    };
    const order = await readOrder(request).catch(() => undefined);
    if (order === undefined) {
      response.statusCode = 400;
      send(failed(NO_ORDER));
    } else if (this.#current !== undefined) {
      response.statusCode = 409;
      send(failed(BUSY));
    } else {
      this.#current = this.#carryOut(order, (text) => send({ kind: "progress", text })).then(
        () => send({ kind: "done" }),
        (cause: unknown) => send(failed(cause)),
      );
      await this.#current;
      this.#current = undefined;
    }
    response.end();
  }
}

/**
 * Accepts orders of this user on a socket in the folder of the running cluster, one at a time. An order continues if its
 * terminal ends. Rejects with a LaunchError if the socket cannot be created.
 *
 * @param run the folder, which the caller has locked
 */
export const serveOrders = async (run: string, carryOut: CarryOut): Promise<OrderService> => {
  const path = orderSocket(run);
  clear(run, path);
  const taker = new OrderTaker(carryOut);
  const server = createServer({ requestTimeout: BODY_MS, headersTimeout: BODY_MS }, (request, response) => {
    response.on("error", () => undefined);
    void taker.answer(request, response);
  });
  server.listen(path);
  await once(server, "listening");
  chmodSync(path, OWNER_ONLY);
  return {
    close: async () => {
      const closed = once(server, "close");
      server.close();
      await taker.current;
      server.closeIdleConnections();
      setImmediate(() => server.closeAllConnections());
      await closed;
    },
  };
};
