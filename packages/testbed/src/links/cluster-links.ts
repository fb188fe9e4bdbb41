import { LaunchError } from "../launch-error.ts";
import { type Link, OneWayLink } from "./link.ts";
import { TcpProxy } from "./tcp-proxy.ts";

const HOST = "127.0.0.1";

/** The processes of a cluster, and which of them connect to which. */
export interface Neighbours {
  /** the port on which a process listens, by process name */
  readonly ports: ReadonlyMap<string, number>;
  /** which process connects to which, by name */
  readonly callers: readonly (readonly [from: string, to: string])[];
}

const wayOf = (from: string, to: string): string => `${from} → ${to}`;

/** The proxies between the processes of a cluster. They run in this process, so that a test can control them. */
export class ClusterLinks {
  readonly #ports = new Map<string, number>();
  readonly #links = new Map<string, OneWayLink>();
  readonly #proxies = new Map<string, TcpProxy>();

  private constructor() {}

  /** Puts a proxy between every two processes of which one connects to the other. */
  static async between(neighbours: Neighbours): Promise<ClusterLinks> {
    const links = new ClusterLinks();
    try {
      await links.extend(neighbours);
    } catch (cause) {
      await links.close();
      throw cause;
    }
    return links;
  }

  /** Adds processes and their proxies; existing proxies stay, and so do the faults of their links. */
  async extend({ ports, callers }: Neighbours): Promise<void> {
    for (const [name, port] of ports) this.#ports.set(name, port);
    const fresh = callers.filter(([from, to]) => !this.#proxies.has(wayOf(from, to)));
    await Promise.all(fresh.map(([from, to]) => this.#join(from, to)));
  }

  async #join(from: string, to: string): Promise<void> {
    const [there, back] = [this.#make(from, to), this.#make(to, from)];
    this.#proxies.set(wayOf(from, to), await TcpProxy.listen({ target: this.#portOf(to), there, back }));
  }

  /**
   * If two signers connect to each other, the bytes from one to the other are one link, whichever of them opened the
   * connection.
   */
  #make(from: string, to: string): OneWayLink {
    const way = wayOf(from, to);
    const link = this.#links.get(way) ?? new OneWayLink();
    this.#links.set(way, link);
    return link;
  }

  #portOf(name: string): number {
    const port = this.#ports.get(name);
    if (port === undefined) throw new Error(`${name} listens nowhere`);
    return port;
  }

  /** The host:port under which one process reaches another: the proxy between them or, without one, the process itself. */
  addressOf(from: string, to: string): string {
    return `${HOST}:${this.#proxies.get(wayOf(from, to))?.port ?? this.#portOf(to)}`;
  }

  /** Returns the link from one process to another. If there is none, throws a LaunchError that lists the links. */
  link(from: string, to: string): Link {
    const found = this.#links.get(wayOf(from, to));
    if (found !== undefined) return found;
    const known = [...this.#links.keys()].join(", ");
    throw new LaunchError(
      `there is no link ${wayOf(from, to)}`,
      known === "" ? 'Start the cluster with links: "proxied".' : `There are ${known}.`,
    );
  }

  /** Closes all proxies, and resets their connections. */
  async close(): Promise<void> {
    await Promise.all([...this.#proxies.values()].map((proxy) => proxy.close()));
  }
}
