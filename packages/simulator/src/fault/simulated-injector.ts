import { type FaultInjector, type Heal, type InjectedFault, type Place, placeName } from "@conclave/chaos";
import { SignerProcess } from "../process/signer-process.ts";
import type { MortalProcess, SimulatedCluster } from "../world/simulated-cluster.ts";
import { BusFaults } from "./bus-faults.ts";
import { whyNotCarriedOut } from "./carried-out.ts";
import { ChainFaults } from "./chain-faults.ts";
import { DiskFaults } from "./disk-faults.ts";
import { LastingState } from "./lasting-state.ts";
import { troubleLink } from "./link-faults.ts";

type Undo = () => void;

const NOTHING: Undo = () => undefined;

/** Makes the faults of a plan happen in a simulated cluster. A fault that it cannot make is refused with the reason. */
export class SimulatedInjector implements FaultInjector {
  readonly #cluster: SimulatedCluster;
  readonly #bus: BusFaults;
  readonly #chains: ReadonlyMap<string, ChainFaults>;
  readonly #disks: DiskFaults;
  readonly #busDown: LastingState;
  readonly #databaseAway: LastingState;

  /** @param faults all of the plan */
  constructor(cluster: SimulatedCluster, faults: readonly InjectedFault[]) {
    this.#cluster = cluster;
    const { parts, world, signers } = cluster;
    this.#bus = new BusFaults(parts.broker, world, faults);
    this.#chains = new Map(
      parts.chains.map((chain) => [
        chain.entry.network,
        new ChainFaults(chain, (to) => parts.watch.undone.add(to)),
      ]),
    );
    this.#busDown = new LastingState((isOn) => (isOn ? parts.broker.kill() : parts.broker.start()));
    this.#databaseAway = new LastingState((isOn) => cluster.takeDatabaseAway(isOn));
    this.#disks = new DiskFaults(world, signers, faults, (signer) => cluster.startAgain(signer));
  }

  async inject(fault: InjectedFault): Promise<Heal> {
    const whyNot = whyNotCarriedOut(fault);
    if (whyNot !== undefined) throw new Error(whyNot);
    const undo = await this.#begin(fault);
    return async () => undo();
  }

  async dieAt(): Promise<Heal> {
    throw new Error("a simulated cluster has no named points in its code: give a time, or a request's stage");
  }

  async #begin(fault: InjectedFault): Promise<Undo> {
    const { parts } = this.#cluster;
    switch (fault.kind) {
      case "kill":
        return together(fault.places.map((place) => this.#kill(place)));
      case "stop":
        return together(await Promise.all(fault.places.map((place) => this.#stop(place))));
      case "power":
        return together(fault.places.map((place) => this.#cutPower(place)));
      case "lose":
        for (const place of fault.places) this.#cluster.lose(this.#processAt(place));
        return NOTHING;
      case "pause":
        return together(fault.places.map((place) => this.#pause(place)));
      case "clock":
        return this.#moveClock(fault.place, fault.byMs);
      case "link":
        return troubleLink(parts.ways, fault);
      case "disk":
      case "store":
        return this.#disks.begin(this.#signer(fault.signer), fault);
      case "bus":
        return this.#bus.begin(fault.failure);
      case "chain":
        return this.#chain(fault.network).begin(fault.failure);
      case "lie":
        return NOTHING;
    }
  }

  #kill(place: Place): Undo {
    if (place.kind === "bus") return this.#busDown.begin();
    if (place.kind === "database") return this.#databaseAway.begin();
    const process = this.#processAt(place);
    process.kill();
    return this.#cluster.keepDown(process);
  }

  async #stop(place: Place): Promise<Undo> {
    if (place.kind === "bus" || place.kind === "database") return this.#kill(place);
    const process = this.#processAt(place);
    const end = this.#cluster.keepDown(process);
    await process.stop();
    return end;
  }

  #pause(place: Place): Undo {
    const { name, world } = this.#processAt(place);
    if (world === undefined) return NOTHING;
    const { trace } = this.#cluster.parts;
    const resume = world.pause();
    trace.note(name, "is paused");
    return () => {
      resume();
      if (world.isAlive() && !world.isPaused()) trace.note(name, "goes on");
    };
  }

  #cutPower(place: Place): Undo {
    const process = this.#processAt(place);
    process.kill();
    if (process instanceof SignerProcess) process.disk.losePower();
    return this.#cluster.keepDown(process);
  }

  #moveClock(place: Place, byMs: number): Undo {
    if (place.kind === "database") {
      this.#cluster.moveDatabaseClock(byMs);
      return () => this.#cluster.moveDatabaseClock(-byMs);
    }
    const process = this.#processAt(place);
    const move = (ms: number): void => {
      this.#cluster.parts.clocks.move(process.name, ms);
      process.world?.jump(ms);
    };
    move(byMs);
    return () => move(-byMs);
  }

  #chain(network: string): ChainFaults {
    const found = this.#chains.get(network);
    if (found === undefined) throw new Error(`no network ${network} is in this simulated cluster`);
    return found;
  }

  #signer(index: number): SignerProcess {
    const found = this.#cluster.signers.find((signer) => signer.index === index);
    if (found === undefined) throw new Error(`no signer-${index} is in this simulated cluster`);
    return found;
  }

  #processAt(place: Place): MortalProcess {
    const name = placeName(place);
    const { signers, orchestrators, gateways } = this.#cluster;
    const found = [...signers, ...orchestrators, ...gateways].find((process) => process.name === name);
    if (found === undefined) throw new Error(`no process ${name} is in this simulated cluster`);
    return found;
  }
}

const together =
  (undoes: readonly Undo[]): Undo =>
  () => {
    for (const undo of undoes) undo();
  };
