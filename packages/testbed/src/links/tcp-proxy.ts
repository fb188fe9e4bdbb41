import { once } from "node:events";
import { createServer, type Server, Socket } from "node:net";
import { breakOff } from "./break-off.ts";
import { Lane } from "./lane.ts";
import type { OneWayLink } from "./link.ts";

const HOST = "127.0.0.1";
const MOST_CONNECTIONS = 4_096;

/** The server behind a proxy, and the links in both directions. */
export interface Route {
  /** the port of the server, on loopback */
  readonly target: number;
  /** bytes from clients to the server */
  readonly there: OneWayLink;
  /** bytes from the server to clients */
  readonly back: OneWayLink;
}

/** Listens in place of a server, and forwards bytes in both directions as the links allow. */
export class TcpProxy {
  readonly #server: Server;
  readonly #resets = new Set<() => void>();

  private constructor(route: Route) {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) =>
      this.#connect(client, route),
    );
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  /** Listens on a loopback port that the kernel chooses. */
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

  /** Stops listening, and resets all connections. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const reset of [...this.#resets]) reset();
    await closed;
  }

  #connect(client: Socket, { target, there, back }: Route): void {
    const upstream = new Socket({ allowHalfOpen: true });
    // no Nagle delay here: a test that wants a delay sets one
    upstream.setNoDelay(true);
    const ends = [client, upstream];
    const reset = (): void => {
      for (const end of ends) breakOff(end);
    };
    const lanes = [new Lane(there, client, upstream, reset), new Lane(back, upstream, client, reset)];
    this.#resets.add(reset);
    /**
     * Cleans up once both ends have finished. A connection that lost bytes is reset then, because neither end would
     * otherwise learn that the other has closed.
     */
    const tidy = (): void => {
      const isTorn = lanes.some((lane) => lane.isTorn);
      if (isTorn && ends.every((end) => end.readableEnded || end.destroyed || end.pending)) reset();
      if (!ends.every((end) => end.destroyed)) return;
      for (const lane of lanes) lane.forget();
      this.#resets.delete(reset);
    };
    for (const end of ends) {
      // "close" follows and forwards the reset
      end.on("error", () => undefined);
      end.once("end", tidy);
      end.once("close", tidy);
    }
    // a cut in either direction prevents the TCP handshake, so the server must not see this connection
    if (there.isCut || back.isCut) for (const lane of lanes) lane.tear();
    else upstream.connect(target, HOST);
  }
}
