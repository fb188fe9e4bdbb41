import { type BusFailure, Chance, type FaultInjector, type Heal, type InjectedFault } from "@conclave/chaos";
import type { Cluster } from "@conclave/testbed";
import type { AgedCopies } from "./aged-copies.ts";
import { bendLinks } from "./bend-links.ts";
import type { ProcessEnds } from "./end-processes.ts";
import { LastingEffects } from "./lasting-effects.ts";
import { ProcessOrders } from "./order-processes.ts";
import { repeatMessages } from "./repeat-messages.ts";
import type { ServerClock } from "./server-clock.ts";
import type { SignerStores } from "./signer-stores.ts";
import { troubleChain } from "./trouble-chains.ts";

/** Faults that ask for the same lasting state of a node share one effect; a single event happens for each fault. */
const chainTrouble = (
  cluster: Cluster,
  effects: LastingEffects,
  { network, failure }: Extract<InjectedFault, { kind: "chain" }>,
): Promise<Heal> => {
  const trouble = (): Promise<Heal> => troubleChain(cluster, network, failure);
  const lasts = failure.kind === "hold" || failure.kind === "refuse" || failure.kind === "overload";
  return lasts ? effects.hold(`${network} ${failure.kind}`, trouble) : trouble();
};

const busTrouble = async (
  cluster: Cluster,
  effects: LastingEffects,
  copies: AgedCopies | undefined,
  failure: BusFailure,
): Promise<Heal> => {
  switch (failure.kind) {
    case "repeats":
      return effects.hold("repeats", () => repeatMessages(cluster));
    case "forgets":
      await cluster.forgetBus();
      return async () => undefined;
    case "goes back":
      if (copies === undefined) throw new Error("nothing of the bus was copied");
      await copies.goBack(failure.byMs);
      return async () => undefined;
  }
};

/** The parts of the injector with lasting effects. */
export interface InjectorParts {
  readonly ends: ProcessEnds;
  readonly stores: SignerStores;
  /** copies of the bus's store; undefined in a plan that never restores one */
  readonly busCopies: AgedCopies | undefined;
  /** the database's clock; undefined in a plan that never moves it */
  readonly serverClock: ServerClock | undefined;
}

/** Moves a process's clock by its orders, and the database's by a row in it. */
const moveClock = (
  orders: ProcessOrders,
  serverClock: ServerClock | undefined,
  { place, byMs }: Extract<InjectedFault, { kind: "clock" }>,
): Promise<Heal> => {
  if (place.kind !== "database") return orders.begin({ kind: "clock", place, byMs });
  if (serverClock === undefined) throw new Error("the database's clock was not made settable");
  return serverClock.move(byMs);
};

/**
 * Injects faults into a cluster of real processes.
 * @param cluster started with `links: "proxied"` and `faults: true`
 * @param seed of randomness: which pieces of a bad link break
 */
export const processInjector = (
  cluster: Cluster,
  seed: number,
  { ends, stores, busCopies, serverClock }: InjectorParts,
): FaultInjector => {
  const orders = new ProcessOrders(cluster, ends);
  const effects = new LastingEffects();
  const chance = new Chance(seed);
  return {
    inject: async (fault) => {
      switch (fault.kind) {
        case "kill":
        case "stop":
        case "pause":
          return ends.end(fault);
        case "power":
        case "lose":
          throw new Error(`a "${fault.kind}" is for simulated machines: real processes share this one`);
        case "link":
          return bendLinks(cluster, fault, chance);
        case "disk":
        case "lie":
          return orders.begin(fault);
        case "clock":
          return moveClock(orders, serverClock, fault);
        case "store":
          return stores.begin(fault);
        case "bus":
          return busTrouble(cluster, effects, busCopies, fault.failure);
        case "chain":
          return chainTrouble(cluster, effects, fault);
      }
    },
    dieAt: (place, point, hit, given) => orders.dieAt(place, point, hit, given),
  };
};
