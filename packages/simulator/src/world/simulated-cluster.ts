import { setImmediate as turn } from "node:timers/promises";
import type { Database } from "@conclave/platform";
import { openModelStore, type ProcessStore } from "@conclave/platform/testing";
import { type AskedTransfer, ClientProcess } from "../client/client-process.ts";
import { GatewayProcess } from "../process/gateway-process.ts";
import { HostileOrchestrator } from "../process/hostile-orchestrator.ts";
import { OrchestratorProcess } from "../process/orchestrator-process.ts";
import type { SharedParts } from "../process/parts.ts";
import { SignerProcess } from "../process/signer-process.ts";
import { migratedDump } from "../store/migrated-dump.ts";
import { openProcessWorld, type ProcessWorld } from "../time/process-world.ts";
import { microseconds, milliseconds, Scheduler } from "../time/scheduler.ts";
import { NoProgress, StepLimit, type StepLimits } from "../time/step-limit.ts";
import { SaidTexts } from "../watch/said-texts.ts";
import { watchBlocks } from "../watch/watch-blocks.ts";
import type { ClusterPlan } from "./cluster-plan.ts";
import { sharedParts, type WorldOf } from "./shared-parts.ts";

/** 2026-11-20, Unix milliseconds */
const START_MS = 1_795_000_000_000;
/** The pause before a supervisor starts a process that died by itself. */
const RESTART_MS = 500;
/** Ten times what a wild world of some hundred transfers takes, and a hundred times what happens at one time. */
const STEP_LIMITS: StepLimits = { most: 3_000_000, mostAtOnce: 300_000 };

/** The end of a run: the condition came to hold, or nothing is planned any more, or its time is over. */
export type RunEnd = "reached" | "stands still" | "out of time";

/** An error that ended a process. */
export interface ProcessFailure {
  readonly process: string;
  readonly error: unknown;
}

/** The state of the database's server that faults change. */
interface DatabaseServer {
  isAway: boolean;
  aheadMs: number;
}

interface OpenedServers {
  readonly store: ProcessStore;
  readonly server: DatabaseServer;
  readonly observer: Database;
  readonly failures: ProcessFailure[];
  readonly said: SaidTexts;
}

/** A process that dies, and starts again. */
export type MortalProcess = SignerProcess | OrchestratorProcess | GatewayProcess;

/** A whole cluster in this process, from one seed: its signers, orchestrators and gateways, its database, bus and chain, and a client. */
export class SimulatedCluster {
  readonly parts: SharedParts;
  readonly signers: readonly SignerProcess[];
  readonly orchestrators: readonly OrchestratorProcess[];
  readonly gateways: readonly GatewayProcess[];
  readonly client: ClientProcess;
  /** of another organisation */
  readonly otherClient: ClientProcess;
  /** attacks once it is started; undefined in a world without one */
  readonly hostile: HostileOrchestrator | undefined;
  /** the time and the chance of those who watch the cluster */
  readonly world: ProcessWorld;
  /** reads the database at once, but for a transaction that a process holds open meanwhile: let time pass (`passing`) */
  readonly observer: Database;
  readonly failures: ProcessFailure[];
  readonly #store: ProcessStore;
  readonly #server: DatabaseServer;
  readonly #limit: StepLimit;
  readonly #lost = new Set<string>();
  /** by process, how many faults keep it dead */
  readonly #down = new Map<string, number>();
  #phase: "begins" | "faults" | "healed" = "begins";
  #settling: Promise<unknown>[] = [];

  private constructor(plan: ClusterPlan, scheduler: Scheduler, opened: OpenedServers) {
    const { store, server, observer, failures, said } = opened;
    this.failures = failures;
    this.#store = store;
    this.#limit = new StepLimit(scheduler, plan.stepLimits ?? STEP_LIMITS);
    this.#server = server;
    this.observer = observer;
    const worldOf: WorldOf = (name) =>
      openProcessWorld({ scheduler, name, life: 1, seed: plan.seed, startMs: START_MS });
    this.world = worldOf("watcher");
    this.parts = sharedParts(
      plan,
      { scheduler, startMs: START_MS, worldOf, store, server, said },
      {
        hasFaults: () => this.#phase === "faults",
        isHealed: () => this.#phase === "healed",
        supervise: (name) => this.#supervise(name),
        settle: (work) => void this.#settling.push(work),
        failed: (process, error) => void this.failures.push({ process, error }),
      },
    );
    const { members } = this.parts;
    this.signers = members.map((index) => new SignerProcess(this.parts, index));
    this.orchestrators = Array.from(
      { length: plan.orchestrators },
      (_, at) => new OrchestratorProcess(this.parts, at + 1),
    );
    this.gateways = Array.from({ length: plan.gateways }, (_, at) => new GatewayProcess(this.parts, at + 1));
    this.client = new ClientProcess(this.parts, this.gateways);
    this.otherClient = new ClientProcess(this.parts, this.gateways, this.parts.otherOrganisation);
    this.hostile = plan.isAttacked === true ? new HostileOrchestrator(this.parts) : undefined;
    watchBlocks(this.parts, this.world);
  }

  /** Makes a cluster with a migrated database. Nothing runs in it. */
  static async open(plan: ClusterPlan): Promise<SimulatedCluster> {
    const scheduler = new Scheduler(plan.seed);
    const server: DatabaseServer = { isAway: false, aheadMs: 0 };
    const nowMs = (): number => Math.floor(START_MS + milliseconds(scheduler.nowUs) + server.aheadMs);
    const failures: ProcessFailure[] = [];
    const broke = (error: unknown): void => void failures.push({ process: "database", error });
    const after = (ms: number, over: () => void): (() => void) => {
      const entry = scheduler.plan("database", microseconds(ms), over);
      return () => entry.cancel();
    };
    const said = new SaidTexts();
    const ran: ClusterPlan["ran"] = (statement) => {
      said.add(statement.text, statement.values);
      plan.ran?.(statement);
    };
    const store = await openModelStore({ nowMs, after, broke, ran }, await migratedDump());
    const world = openProcessWorld({
      scheduler,
      name: "observer",
      life: 1,
      seed: plan.seed,
      startMs: START_MS,
    });
    const observer = store.connect({ freshId: world.freshId, announce: () => undefined });
    return new SimulatedCluster(plan, scheduler, { store, server, observer, failures, said });
  }

  get clients(): readonly [ClientProcess, ClientProcess] {
    return [this.client, this.otherClient];
  }

  /** The transfers that clients asked for: those of the first client, then those of the other. */
  get asked(): readonly AskedTransfer[] {
    return this.clients.flatMap(({ asked }) => asked);
  }

  /** Starts all processes that are dead, but for those whose machine is lost. */
  startAll(): void {
    for (const process of this.#processes) this.startAgain(process);
  }

  get #processes(): readonly MortalProcess[] {
    return [...this.signers, ...this.orchestrators, ...this.gateways];
  }

  #supervise(name: string): void {
    const process = this.#processes.find((each) => each.name === name);
    if (process === undefined) return;
    this.parts.scheduler.plan("supervisor", microseconds(RESTART_MS), () => this.startAgain(process));
  }

  /** Lets signers die in writes from now on. Statements and answers are lost from the beginning. */
  beginFaults(): void {
    this.#phase = "faults";
  }

  /** Ends all faults that no plan names, and starts all that is dead. */
  heal(): void {
    this.#phase = "healed";
    this.startAll();
    this.parts.endpoints.heal();
  }

  /** Starts a process that is dead, unless a fault keeps it so, or its machine is lost. */
  startAgain(process: MortalProcess): void {
    if (!this.#lost.has(process.name) && (this.#down.get(process.name) ?? 0) === 0) process.start();
  }

  /** Keeps a process dead once it has ended. @returns ends that: it starts again, unless another fault keeps it dead */
  keepDown(process: MortalProcess): () => void {
    const change = (more: number): void =>
      void this.#down.set(process.name, (this.#down.get(process.name) ?? 0) + more);
    change(1);
    return () => {
      change(-1);
      this.startAgain(process);
    };
  }

  /** Ends a process for good, with its machine. */
  lose(process: MortalProcess): void {
    this.#lost.add(process.name);
    process.kill();
  }

  /** The names of the processes whose machine is lost. */
  get lost(): ReadonlySet<string> {
    return this.#lost;
  }

  /**
   * Lets time pass until a condition holds.
   * @param forMs virtual milliseconds, at most
   * @throws NoProgress once too many steps were taken
   */
  async until(condition: () => boolean, forMs: number): Promise<RunEnd> {
    const { scheduler } = this.parts;
    const limitUs = scheduler.nowUs + microseconds(forMs);
    for (await this.#drain(); !condition(); await this.#drain()) {
      this.#limit.look();
      if (scheduler.step(limitUs)) continue;
      const isOver = scheduler.isPlanned;
      scheduler.passUntil(limitUs);
      return isOver ? "out of time" : "stands still";
    }
    return "reached";
  }

  /** Lets time pass until a promise is kept. @throws what it rejects with; NoProgress where it stays open */
  async passing<T>(promise: Promise<T>, forMs = 60_000): Promise<T> {
    let isSettled = false;
    const settled = promise.finally(() => {
      isSettled = true;
    });
    settled.catch(() => undefined);
    const end = await this.until(() => isSettled, forMs);
    if (end !== "reached") throw new NoProgress(`nothing ends what a run waits for: ${end}`);
    return settled;
  }

  /** Lets so many virtual milliseconds pass. */
  async pass(ms: number): Promise<void> {
    await this.until(() => false, ms);
  }

  get isDatabaseAway(): boolean {
    return this.#server.isAway;
  }

  /** Has no statement reach the database, or ends that. */
  takeDatabaseAway(isAway: boolean): void {
    this.#server.isAway = isAway;
  }

  /** Sets the database's clock forward, or back where below 0. */
  moveDatabaseClock(ms: number): void {
    this.#server.aheadMs += ms;
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /** Waits, in real time, until all code has come to a point at which only virtual time brings it on. */
  async #drain(): Promise<void> {
    await turn();
    while (this.#settling.length > 0) {
      const settling = this.#settling;
      this.#settling = [];
      await Promise.all(settling);
      await turn();
    }
  }
}
