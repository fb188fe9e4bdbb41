import { type FaultInjector, type Heal, type InjectedFault, type Place, placeName } from "@conclave/chaos";
import type { ProcessWorld } from "../time/process-world.ts";
import type { SimulatedCluster } from "../world/simulated-cluster.ts";
import { isCarriedOut } from "./carried-out.ts";

/** A process that faults happen to. */
interface FaultyProcess {
  readonly world: ProcessWorld | undefined;
  start(): void;
  kill(): void;
}

/** Blocks of the simulated chain are final below these. */
const UNDONE_BLOCKS_MAX = 2;
const EVER = Number.MAX_SAFE_INTEGER;
const NOTHING: Heal = async () => undefined;

/** Makes the faults of a plan happen in a simulated cluster. A fault that it cannot make is refused with the reason. */
export class SimulatedInjector implements FaultInjector {
  readonly #cluster: SimulatedCluster;

  constructor(cluster: SimulatedCluster) {
    this.#cluster = cluster;
  }

  async inject(fault: InjectedFault): Promise<Heal> {
    if (!isCarriedOut(fault))
      throw new Error(`a simulated cluster cannot carry out this "${fault.kind}" yet`);
    if (fault.kind === "kill") return together(fault.places.map((place) => this.#kill(place)));
    if (fault.kind === "pause") return together(fault.places.map((place) => this.#pause(place)));
    if (fault.kind === "clock") return this.#moveClock(fault.place, fault.byMs);
    return fault.kind === "chain" ? this.#troubleChain(fault.failure) : NOTHING;
  }

  async dieAt(): Promise<Heal> {
    throw new Error("a simulated cluster has no named points in its code: give a time, or a request's stage");
  }

  #kill(place: Place): Heal {
    const { broker } = this.#cluster.parts;
    if (place.kind === "bus") {
      broker.kill();
      return async () => broker.start();
    }
    if (place.kind === "database") {
      this.#cluster.takeDatabaseAway(true);
      return async () => this.#cluster.takeDatabaseAway(false);
    }
    const process = this.#processAt(place);
    process.kill();
    return async () => process.start();
  }

  #pause(place: Place): Heal {
    const resume = this.#processAt(place).world?.pause();
    return async () => resume?.();
  }

  #moveClock(place: Place, byMs: number): Heal {
    if (place.kind === "database") {
      this.#cluster.moveDatabaseClock(byMs);
      return async () => this.#cluster.moveDatabaseClock(-byMs);
    }
    const { world } = this.#processAt(place);
    world?.jump(byMs);
    return async () => world?.jump(-byMs);
  }

  #troubleChain(failure: Extract<InjectedFault, { readonly kind: "chain" }>["failure"]): Heal {
    const { chain } = this.#cluster.parts.chain;
    if (failure.kind === "forget") chain.drop();
    if (failure.kind === "reorganise") {
      const depth = Math.min(failure.blocks, UNDONE_BLOCKS_MAX, Number(chain.height()));
      if (depth > 0) chain.reorganise(depth);
    }
    if (failure.kind !== "refuse") return NOTHING;
    chain.refuse(EVER, "the node takes no transaction");
    return async () => chain.refuse(0, "");
  }

  #processAt(place: Place): FaultyProcess {
    const name = placeName(place);
    const { signers, orchestrators } = this.#cluster;
    const found = [...signers, ...orchestrators].find((process) => process.name === name);
    if (found === undefined) throw new Error(`no process ${name} is in this simulated cluster`);
    return found;
  }
}

const together =
  (heals: readonly Heal[]): Heal =>
  async () => {
    for (const heal of heals) await heal();
  };
