import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

const HOST = "127.0.0.1";
const MOST_CONNECTIONS = 1_024;

/** The two ports of a node's process; anvil has no admin endpoint, and leaves the second one unused. */
export interface NodePorts {
  readonly port: number;
  readonly adminPort: number;
}

/**
 * A node whose process starts at the first connection to one of its ports. Connections wait until the process serves, and
 * are then forwarded. A connection does not restart a process that has ended, because a test that killed it observes the
 * cluster without it.
 */
export class OnDemandNode {
  readonly #start: () => Promise<NodePorts>;
  readonly #servers: readonly Server[];
  readonly #sockets = new Set<Socket>();
  #started: Promise<NodePorts> | undefined;

  /** @param start starts the process, and resolves with its own ports once it serves; called again after a failure */
  private constructor(start: () => Promise<NodePorts>) {
    this.#start = start;
    this.#servers = (["port", "adminPort"] as const).map((which) =>
      createServer({ allowHalfOpen: true }, (socket) => void this.#pass(socket, which)),
    );
    for (const server of this.#servers) server.maxConnections = MOST_CONNECTIONS;
  }

  /** Listens on both loopback ports. */
  static async listen(
    { port, adminPort }: NodePorts,
    start: () => Promise<NodePorts>,
  ): Promise<OnDemandNode> {
    const node = new OnDemandNode(start);
    const [first, second] = node.#servers;
    first?.listen(port, HOST);
    second?.listen(adminPort, HOST);
    try {
      await Promise.all(node.#servers.map((server) => once(server, "listening")));
    } catch (cause) {
      await node.close();
      throw cause;
    }
    return node;
  }

  /** Starts the process, unless it was started already. */
  running(): Promise<NodePorts> {
    this.#started ??= this.#start().catch((cause: unknown) => {
      this.#started = undefined;
      throw cause;
    });
    return this.#started;
  }

  /** Stops listening, and closes all connections. */
  async close(): Promise<void> {
    const closed = this.#servers.filter((server) => server.listening).map((server) => once(server, "close"));
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
    // the supervisor stops a process that is still starting
    await this.#started?.catch(() => undefined);
  }

  async #pass(outer: Socket, which: keyof NodePorts): Promise<void> {
    this.#hold(outer);
    try {
      const ports = await this.running();
      if (outer.destroyed) return;
      const inner = connect({ host: HOST, port: ports[which], allowHalfOpen: true });
      this.#hold(inner);
      outer.pipe(inner).pipe(outer);
      outer.once("close", () => inner.destroy());
      inner.once("close", () => outer.destroy());
    } catch {
      // the supervisor has reported the reason; the caller only sees a closed connection
      outer.destroy();
    }
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    // the listeners for "close" end both halves of a connection after any error
    socket.once("error", () => undefined);
    socket.once("close", () => this.#sockets.delete(socket));
  }
}
