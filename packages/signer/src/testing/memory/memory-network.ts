import type { World } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import type { PeerLinks, ServedSigner, Serving } from "../../assembly/parts.ts";
import { MemoryLink } from "./memory-link.ts";
import { type Connection, type FindWay, isCut, OPEN_WAY } from "./way.ts";

type NetworkWorld = Pick<World, "monotonicMs" | "after" | "entropy">;

/** A signer that answers. */
export interface Reached extends ServedSigner {
  isReady: boolean;
  /** Runs what reaches the signer: at once, or when its process goes on. */
  readonly arrive: (run: () => void) => void;
}

const atOnce = (run: () => void): void => run();

/**
 * The network of signers in one process: what the gRPC server, the mesh and the health service are to signers in processes of their own.
 * A signer that was cut off, or has stopped, is reached by nobody.
 */
export class MemoryNetwork {
  readonly world: NetworkWorld;
  readonly #find: FindWay;
  readonly #reached = new Map<PartyIndex, Reached>();
  readonly #watchers = new Set<() => void>();

  /** @param find the way between two places, of which signers are named signer-1; without faults where it is left out. Call `waysChanged` when a way becomes cut, or is not any more */
  constructor(world: NetworkWorld, find: FindWay = () => OPEN_WAY) {
    this.world = world;
    this.#find = find;
  }

  /** The ways between a caller, by its name, and a signer. */
  connection(caller: string, signer: PartyIndex): Connection {
    const name = nameOf(signer);
    return { there: this.#find(caller, name), back: this.#find(name, caller) };
  }

  /** Has all look again whether their connections stand. */
  waysChanged(): void {
    this.#changed();
  }

  /** Answers for a signer from now on: the part `serve` of an assembly. @param arrive runs commands and questions that reach it */
  serve(self: PartyIndex, served: ServedSigner, arrive: Reached["arrive"] = atOnce): Serving {
    const reached: Reached = { ...served, isReady: false, arrive };
    this.#reached.set(self, reached);
    this.#changed();
    return {
      setReady: (isReady) => {
        reached.isReady = isReady;
        this.#changed();
      },
      stop: async () => {
        if (this.#reached.get(self) === reached) this.cutOff(self);
      },
    };
  }

  /** Ends all connections to a signer, as its death does. */
  cutOff(self: PartyIndex): void {
    this.#reached.delete(self);
    this.#changed();
  }

  /** @returns undefined for a signer that nobody reaches */
  reach(signer: PartyIndex): Reached | undefined {
    return this.#reached.get(signer);
  }

  /** The links of one signer to its peers: the part `openLinks` of an assembly. */
  linksOf(
    self: PartyIndex,
    peers: readonly PartyIndex[],
    dropped: (to: PartyIndex, reason: string) => void,
  ): PeerLinks {
    const links = new Map(
      peers.map((to) => {
        const deliver = (envelope: Uint8Array) => {
          const peer = this.#reached.get(to);
          return peer === undefined ? "away" : peer.deliver(self, [envelope]);
        };
        const connection = this.connection(nameOf(self), to);
        const link = new MemoryLink(this.world, connection, deliver, (reason) => dropped(to, reason));
        return [to, { link, connection }];
      }),
    );
    return {
      send: (to, envelope) => links.get(to)?.link.send(envelope),
      connected: () =>
        [...links].flatMap(([to, { connection }]) =>
          this.#reached.has(to) && !isCut(connection) ? [to] : [],
        ),
      close: () => {
        for (const { link } of links.values()) link.close();
      },
    };
  }

  /**
   * Calls back whenever a signer is reached, is ready, or is not any more.
   * @returns a function that ends the subscription
   */
  onChange(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  #changed(): void {
    for (const changed of [...this.#watchers]) changed();
  }
}

const nameOf = (signer: PartyIndex): string => `signer-${signer}`;
