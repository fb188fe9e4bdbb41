import { type BusFailure, Chance, type FaultInjector, type Heal, type InjectedFault } from "@conclave/chaos";
import type { Cluster } from "@conclave/testbed";
import { bendLinks } from "./bend-links.ts";
import type { BusCopies } from "./bus-copies.ts";
import { ProcessEnds } from "./end-processes.ts";
import { LastingEffects } from "./lasting-effects.ts";
import { ProcessOrders } from "./order-processes.ts";
import { repeatMessages } from "./repeat-messages.ts";
import { troubleChain } from "./trouble-chains.ts";

/** What a node does until it heals is one effect, however many faults ask for it; what happens to it once happens for each. */
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
  copies: BusCopies | undefined,
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

/**
 * Makes faults happen in a cluster of real processes.
 * @param cluster started with `links: "proxied"` and `faults: true`
 * @param seed of chance: which pieces of a bad link break
 * @param copies of the bus's store; undefined in a plan in which it never goes back
 */
export const processInjector = (
  cluster: Cluster,
  seed: number,
  copies: BusCopies | undefined,
): FaultInjector => {
  const ends = new ProcessEnds(cluster);
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
        case "link":
          return bendLinks(cluster, fault, chance);
        case "disk":
        case "clock":
        case "lie":
          return orders.begin(fault);
        case "bus":
          return busTrouble(cluster, effects, copies, fault.failure);
        case "chain":
          return chainTrouble(cluster, effects, fault);
      }
    },
    dieAt: (place, point, hit, given) => orders.dieAt(place, point, hit, given),
  };
};
