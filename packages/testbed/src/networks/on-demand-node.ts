import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

const HOST = "127.0.0.1";
const MOST_CONNECTIONS = 1_024;

/** The two ports of a node's process; an anvil has no admin endpoint and leaves the second one alone. */
export interface NodePorts {
  readonly port: number;
  readonly adminPort: number;
}

/**
 * A node whose process starts when somebody first connects to one of its ports. The connections wait until it serves, and then
 * pass through. A process that ended later is not started again by a connection: the test that killed it
 * observes the cluster without it.
 */
export class OnDemandNode {
  readonly #start: () => Promise<NodePorts>;
  readonly #servers: readonly Server[];
  readonly #sockets = new Set<Socket>();
  #started: Promise<NodePorts> | undefined;

  /** @param start starts the process, and resolves with its own ports once it serves; called again if it fails */
  private constructor(start: () => Promise<NodePorts>) {
    this.#start = start;
    this.#servers = (["port", "adminPort"] as const).map((which) =>
      createServer({ allowHalfOpen: true }, (socket) => void this.#pass(socket, which)),
    );
    for (const server of this.#servers) server.maxConnections = MOST_CONNECTIONS;
  }

  /** Listens on both ports of loopback. */
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

  /** Starts the process, unless it has been. */
  running(): Promise<NodePorts> {
    this.#started ??= this.#start().catch((cause: unknown) => {
      this.#started = undefined;
      throw cause;
    });
    return this.#started;
  }

  /** Listens no more, and ends all connections. */
  async close(): Promise<void> {
    const closed = this.#servers.filter((server) => server.listening).map((server) => once(server, "close"));
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
    // a process that is being started is the supervisor's to stop
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
      // the supervisor has said why; to the caller the node is away
      outer.destroy();
    }
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    // any break of a connection ends both of its halves, by the listeners for "close"
    socket.once("error", () => undefined);
    socket.once("close", () => this.#sockets.delete(socket));
  }
}
