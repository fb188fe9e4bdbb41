import type { Chance, Toxic } from "@conclave/chaos";
import type { Way } from "@conclave/signer/testing";

const ALL_PERCENT = 100;

/** One direction between two places. Of several faults of a kind the worst counts, as on real links. */
export class TroubledWay implements Way {
  readonly #chance: Chance;
  readonly #changed: () => void;
  readonly #toxics = new Set<Toxic>();
  #listeners: (() => void)[] = [];
  isCut = false;
  delayMs = 0;
  bytesPerSecond: number = Number.POSITIVE_INFINITY;
  #breakPercent = 0;

  /** @param changed hears that the way is cut, or is not any more */
  constructor(chance: Chance, changed: () => void) {
    this.#chance = chance;
    this.#changed = changed;
  }

  breaks(): boolean {
    return this.#breakPercent > 0 && this.#chance.share() * ALL_PERCENT < this.#breakPercent;
  }

  /** Calls back once, when the way is not cut any more. */
  onceMended(mended: () => void): void {
    this.#listeners.push(mended);
  }

  /** @returns undoes this fault, and leaves the others */
  trouble(toxic: Toxic): () => void {
    const own = { ...toxic };
    this.#toxics.add(own);
    this.#look();
    return () => {
      this.#toxics.delete(own);
      this.#look();
    };
  }

  #look(): void {
    const wasCut = this.isCut;
    const toxics = [...this.#toxics];
    this.isCut = toxics.some(({ kind }) => kind === "cut");
    this.delayMs = Math.max(0, ...toxics.map((toxic) => (toxic.kind === "delay" ? toxic.ms : 0)));
    this.bytesPerSecond = Math.min(
      ...toxics.map((toxic) => (toxic.kind === "slow" ? toxic.bytesPerSecond : Number.POSITIVE_INFINITY)),
    );
    this.#breakPercent = Math.max(0, ...toxics.map((toxic) => (toxic.kind === "break" ? toxic.percent : 0)));
    if (this.isCut !== wasCut) this.#changed();
    if (this.isCut) return;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const mended of listeners) mended();
  }
}

export interface TroubledWaysOptions {
  /** of which messages of a way break their connection */
  readonly chanceOf: (way: string) => Chance;
  /** hears that a way is cut, or is not any more */
  readonly changed: () => void;
}

/** The ways between the places of a world, by their names, with the faults of each. */
export class TroubledWays {
  readonly #options: TroubledWaysOptions;
  readonly #ways = new Map<string, TroubledWay>();

  constructor(options: TroubledWaysOptions) {
    this.#options = options;
  }

  /** The same way each time. */
  of(from: string, to: string): TroubledWay {
    const name = `${from} → ${to}`;
    let way = this.#ways.get(name);
    if (way === undefined) {
      way = new TroubledWay(this.#options.chanceOf(name), this.#options.changed);
      this.#ways.set(name, way);
    }
    return way;
  }

  /** The names of the ways that are cut, such as `signer-1 → signer-2`. */
  get cut(): readonly string[] {
    return [...this.#ways].flatMap(([name, { isCut }]) => (isCut ? [name] : []));
  }
}
