import type { Envelope, PartyIndex } from "@conclave/threshold";
import { LIFE_BYTES } from "../control/lives.ts";
import type { SessionReport } from "../control/report.ts";
import type { CallId } from "../control/session-key.ts";
import { Shell, type SignerPorts } from "../interpreter/shell.ts";
import type { SignerConfig } from "../signer/config.ts";
import type { SignerEffect } from "../signer/effect.ts";
import type { SignerEvent } from "../signer/event.ts";
import { type FiledRecord, filed } from "../signer/records/history.ts";
import type { StoredRecord } from "../signer/records/record.ts";
import { UnwrittenRecords } from "../signer/records/unwritten.ts";
import { openSigner } from "../signer/signer.ts";
import type { SignerState } from "../signer/state.ts";
import type { Engine } from "./engine.ts";
import type { Ledger } from "./ledger.ts";
import type { VirtualWorld } from "./ports/virtual-world.ts";

/** The surroundings of one signer's shell. */
export interface Surroundings {
  readonly world: VirtualWorld;
  readonly ledger: Ledger;
  readonly send: (from: PartyIndex, to: PartyIndex, envelope: Envelope) => void;
  readonly report: (call: CallId, report: SessionReport) => void;
  readonly primes: (signer: PartyIndex) => Extract<SignerEvent, { readonly kind: "primes" }>["primes"];
  readonly engine: (config: SignerConfig) => Engine;
  readonly died: (signer: PartyIndex) => void;
}

const COMPUTE_MS = 1;

const rethrow = (error: unknown): never => {
  throw error;
};

/**
 * A signer in virtual time: the Shell of a process, with ports that write to memory at once. Its durable records
 * survive its death; everything else is lost.
 */
export class SignerNode {
  readonly records: Map<string, StoredRecord["value"]>;
  /** its current life, or the last one before it died */
  life: Uint8Array = new Uint8Array(0);
  /** effects carried out in this life */
  effectsDone = 0;
  /** number of the effect before which it dies */
  diesAt: number | undefined;
  /** whether it dies by a power failure, which loses writes since the last synced one */
  losesPower = false;
  /** how far its clock is ahead of the world's, milliseconds */
  clockAheadMs = 0;
  #synced: ReadonlyMap<string, StoredRecord["value"]>;
  /** when records of the past may be forgotten */
  readonly #deadlines = new Map<string, number>();
  /** the shell between start and death */
  #life: Shell | undefined;
  #config: SignerConfig;
  readonly #surroundings: Surroundings;

  constructor(
    config: SignerConfig,
    records: ReadonlyMap<string, StoredRecord["value"]>,
    surroundings: Surroundings,
  ) {
    this.#config = config;
    this.#surroundings = surroundings;
    this.records = new Map(records);
    this.#synced = records;
  }

  /** Sets the configuration for the next life. */
  configure(config: SignerConfig): void {
    this.#config = config;
  }

  get config(): SignerConfig {
    return this.#config;
  }

  get self(): PartyIndex {
    return this.#config.self;
  }

  get threshold(): number {
    return this.#config.threshold;
  }

  get state(): SignerState | undefined {
    return this.#life?.state;
  }

  get isAlive(): boolean {
    return this.#life !== undefined;
  }

  /** The time on its own clock. */
  clockMs(): number {
    return this.#surroundings.world.nowMs() + this.clockAheadMs;
  }

  start(): void {
    const live = [...this.records].flatMap(([record, value]) => {
      const isFiled = this.#deadlines.has(record);
      const past = isFiled ? undefined : filed({ record, value }, this.#config.reader);
      if (past !== undefined) this.#write([past], [], false);
      return isFiled || past !== undefined ? [] : [{ record, value }];
    });
    const past = new UnwrittenRecords((record) => this.records.get(record));
    this.life = this.#surroundings.world.entropy(LIFE_BYTES);
    const { state, effects } = openSigner(this.#config, live, past.read, this.life);
    const ports = this.#portsOf(() => this.#life === shell, this.#surroundings.engine(this.#config));
    const shell = new Shell({ nowMs: () => this.clockMs() }, state, past, ports, rethrow);
    this.#life = shell;
    this.effectsDone = 0;
    shell.begin(effects);
    shell.dispatch({ kind: "tick" });
  }

  /** The process finds that it may have continued from a copy of its memory. */
  resume(): void {
    this.life = this.#surroundings.world.entropy(LIFE_BYTES);
    this.handle({ kind: "resumed", life: this.life });
  }

  kill(): void {
    if (this.#life === undefined) return;
    this.#life = undefined;
    this.diesAt = undefined;
    if (this.losesPower) this.restore(this.#synced);
    this.#surroundings.died(this.self);
  }

  /** Replaces all its records, as from a backup. */
  restore(records: ReadonlyMap<string, StoredRecord["value"]>): void {
    const backup = [...records];
    this.records.clear();
    this.#deadlines.clear();
    for (const [record, value] of backup) this.records.set(record, value);
    this.#synced = new Map(backup);
  }

  handle(event: SignerEvent): void {
    this.#life?.dispatch(event);
  }

  /** The ports of one life; after its death they do nothing. */
  #portsOf(isAlive: () => boolean, engine: Engine): SignerPorts {
    const { self } = this;
    const { ledger, world, ...around } = this.#surroundings;
    const act = (carryOut: () => void): undefined => {
      if (isAlive() && this.#survives()) carryOut();
      return undefined;
    };
    const watched = (effect: SignerEffect, carryOut: () => void): undefined =>
      act(() => {
        ledger.watch(self, effect, this.records);
        carryOut();
      });
    /** Delivers an event to this life later, never to another. */
    const later = (event: SignerEvent): void => {
      world.after(COMPUTE_MS, () => {
        if (isAlive()) this.handle(event);
      });
    };
    return {
      store: (effect) => act(() => this.#write([effect], [], true)),
      erase: (record) => act(() => this.#write([], [record], true)),
      batch: ({ puts, erases, sync }) => act(() => this.#write(puts, erases, sync)),
      forget: (untilMs) => act(() => this.#forget(untilMs)),
      send: (to, envelope) => watched({ kind: "send", to, envelope }, () => around.send(self, to, envelope)),
      primes: (session) => act(() => later({ kind: "primes", session, primes: around.primes(self) })),
      compute: (session, task) =>
        watched({ kind: "compute", session, task }, () =>
          later({ kind: "computed", session, result: engine.compute(session, task) }),
        ),
      prepare: () => act(() => undefined), // virtual time has no idle time
      drop: (session) => act(() => engine.drop(session)),
      alarm: () => act(() => undefined), // and there is no operator
      report: (call, report) => act(() => void world.after(COMPUTE_MS, () => around.report(call, report))),
    };
  }

  /** Returns whether to carry out the next effect; dies otherwise. */
  #survives(): boolean {
    if (this.effectsDone === this.diesAt) {
      this.kill();
      return false;
    }
    this.effectsDone++;
    return true;
  }

  #write(
    puts: readonly (StoredRecord & Partial<Pick<FiledRecord, "forgetAtMs">>)[],
    erases: readonly string[],
    sync: boolean,
  ): void {
    for (const record of erases) this.records.delete(record);
    for (const { record, value, forgetAtMs } of puts) {
      this.records.set(record, value);
      if (forgetAtMs !== undefined) this.#deadlines.set(record, forgetAtMs);
    }
    if (sync) this.#synced = new Map(this.records);
  }

  #forget(untilMs: number): void {
    for (const [record, forgetAtMs] of this.#deadlines) {
      if (forgetAtMs > untilMs) continue;
      this.records.delete(record);
      this.#deadlines.delete(record);
    }
  }
}
