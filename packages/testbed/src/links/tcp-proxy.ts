import { once } from "node:events";
import { createServer, type Server, Socket } from "node:net";
import { breakOff } from "./break-off.ts";
import { Lane } from "./lane.ts";
import type { OneWayLink } from "./link.ts";

const HOST = "127.0.0.1";
const MOST_CONNECTIONS = 4_096;

/** Between whom a proxy stands. */
export interface Route {
  /** the port of the server, on loopback */
  readonly target: number;
  /** bytes from clients to the server */
  readonly there: OneWayLink;
  /** bytes from the server to clients */
  readonly back: OneWayLink;
}

/** Listens in place of a server, and passes on what both ends send as their links allow. */
export class TcpProxy {
  readonly #server: Server;
  readonly #resets = new Set<() => void>();

  private constructor(route: Route) {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) =>
      this.#connect(client, route),
    );
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  /** Listens on a port of loopback that the kernel chooses. */
  static async listen(route: Route): Promise<TcpProxy> {
    const proxy = new TcpProxy(route);
    proxy.#server.listen(0, HOST);
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy does not listen");
    return address.port;
  }

  /** Listens no more, and breaks all connections. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const reset of [...this.#resets]) reset();
    await closed;
  }

  #connect(client: Socket, { target, there, back }: Route): void {
    const upstream = new Socket({ allowHalfOpen: true });
    // small messages do not wait for each other here: a test that wants a delay asks for it
    upstream.setNoDelay(true);
    const ends = [client, upstream];
    const reset = (): void => {
      for (const end of ends) breakOff(end);
    };
    const lanes = [new Lane(there, client, upstream, reset), new Lane(back, upstream, client, reset)];
    this.#resets.add(reset);
    /** Both ends have said their last word; when some of it is lost, neither hears that the other has gone. */
    const tidy = (): void => {
      const isTorn = lanes.some((lane) => lane.isTorn);
      if (isTorn && ends.every((end) => end.readableEnded || end.destroyed || end.pending)) reset();
      if (!ends.every((end) => end.destroyed)) return;
      for (const lane of lanes) lane.forget();
      this.#resets.delete(reset);
    };
    for (const end of ends) {
      // "close" follows, and passes the reset on
      end.on("error", () => undefined);
      end.once("end", tidy);
      end.once("close", tidy);
    }
    // no handshake comes to its end when either direction is cut: the server does not hear of this connection
    if (there.isCut || back.isCut) for (const lane of lanes) lane.tear();
    else upstream.connect(target, HOST);
  }
}
