import type { Envelope, PartyIndex } from "@conclave/threshold";
import type { SessionReport } from "../control/report.ts";
import type { CallId } from "../control/session-key.ts";
import type { SignerConfig } from "../signer/config.ts";
import type { SignerEffect } from "../signer/effect.ts";
import type { SignerEvent } from "../signer/event.ts";
import { type FiledRecord, filed } from "../signer/records/history.ts";
import type { StoredRecord } from "../signer/records/record.ts";
import { openSigner, stepSigner } from "../signer/signer.ts";
import type { SignerState } from "../signer/state.ts";
import type { Engine } from "./engine.ts";
import type { Ledger } from "./ledger.ts";
import type { VirtualWorld } from "./world/virtual-world.ts";

/** The world as one signer's shell sees it. */
export interface Surroundings {
  readonly world: VirtualWorld;
  readonly ledger: Ledger;
  readonly send: (from: PartyIndex, to: PartyIndex, envelope: Envelope) => void;
  readonly report: (call: CallId, report: SessionReport) => void;
  readonly primes: (signer: PartyIndex) => Extract<SignerEvent, { readonly kind: "primes" }>["primes"];
  readonly engine: (signer: PartyIndex) => Engine;
  readonly died: (signer: PartyIndex) => void;
}

const COMPUTE_MS = 1;

/** A signer's shell in memory: its durable records outlive it, everything else dies with it. */
export class SignerNode {
  readonly records: Map<string, StoredRecord["value"]>;
  /** effects carried out in this life */
  effectsDone = 0;
  /** dies instead of carrying out the effect with this number */
  diesAt: number | undefined;
  /** whether it dies of a power failure, which takes what was written since the last synced write */
  losesPower = false;
  #synced: ReadonlyMap<string, StoredRecord["value"]>;
  /** when records of the past may be forgotten */
  readonly #deadlines = new Map<string, number>();
  #life: { state: SignerState; readonly engine: Engine } | undefined;
  readonly #config: SignerConfig;
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

  start(): void {
    const live = [...this.records].flatMap(([record, value]) => {
      const isFiled = this.#deadlines.has(record);
      const past = isFiled ? undefined : filed({ record, value }, this.#config.reader);
      if (past !== undefined) this.#write([past], [], false);
      return isFiled || past !== undefined ? [] : [{ record, value }];
    });
    const { state, effects } = openSigner(this.#config, live, (record) => this.records.get(record));
    this.#life = { state, engine: this.#surroundings.engine(this.self) };
    this.effectsDone = 0;
    this.#carryOut(effects);
  }

  kill(): void {
    if (this.#life === undefined) return;
    this.#life = undefined;
    this.diesAt = undefined;
    if (this.losesPower) this.restore(this.#synced);
    this.#surroundings.died(this.self);
  }

  /** Puts other records in the place of all that it stored, as from a backup. */
  restore(records: ReadonlyMap<string, StoredRecord["value"]>): void {
    const backup = [...records];
    this.records.clear();
    this.#deadlines.clear();
    for (const [record, value] of backup) this.records.set(record, value);
    this.#synced = new Map(backup);
  }

  tell(event: SignerEvent): void {
    const life = this.#life;
    if (life === undefined) return;
    const { state, effects } = stepSigner(life.state, event, this.#surroundings.world.nowMs());
    life.state = state;
    this.#carryOut(effects);
  }

  #carryOut(effects: readonly SignerEffect[]): void {
    for (const effect of effects) {
      const life = this.#life;
      if (life === undefined) return;
      if (this.effectsDone === this.diesAt) {
        this.kill();
        return;
      }
      this.effectsDone++;
      this.#surroundings.ledger.watch(this.self, effect, this.records);
      this.#perform(effect, life.engine);
    }
  }

  #perform(effect: SignerEffect, engine: Engine): void {
    const { world } = this.#surroundings;
    switch (effect.kind) {
      case "store":
        this.#write([effect], [], true);
        return;
      case "erase":
        this.#write([], [effect.record], true);
        return;
      case "batch":
        this.#write(effect.puts, effect.erases, effect.sync);
        return;
      case "forget":
        this.#forget(effect.untilMs);
        return;
      case "send":
        this.#surroundings.send(this.self, effect.to, effect.envelope);
        return;
      case "primes": {
        const primes = this.#surroundings.primes(this.self);
        this.#later(COMPUTE_MS, { kind: "primes", session: effect.session, primes });
        return;
      }
      case "compute": {
        const result = engine.compute(effect.session, effect.task);
        this.#later(COMPUTE_MS, { kind: "computed", session: effect.session, result });
        return;
      }
      case "prepare": // there is no idle time in virtual time
      case "alarm": // and no operator
        return;
      case "drop":
        engine.drop(effect.session);
        return;
      case "report":
        world.after(COMPUTE_MS, () => this.#surroundings.report(effect.call, effect.report));
    }
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

  /** An answer to this life: a later life never hears it. */
  #later(delayMs: number, event: SignerEvent): void {
    const life = this.#life;
    this.#surroundings.world.after(delayMs, () => {
      if (this.#life === life) this.tell(event);
    });
  }
}
