import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Chance, type Heal, type InjectedFault } from "@conclave/chaos";
import { ERRORS } from "@conclave/custody";
import { type Cluster, waitUntil } from "@conclave/testbed";
import type { PastStore } from "../facts/signer-facts.ts";
import { AgedCopies } from "./aged-copies.ts";
import type { ProcessEnds } from "./end-processes.ts";
import { copyStanding } from "./standing-still.ts";
import { hasEntry, putEntryBack, removeEntry, type StoreEntry } from "./stopped-store.ts";

/** Interval between copies of a store that a fault will restore. */
const COPY_EVERY_MS = 1_000;
/** Longest wait for an entry: most kinds exist from the beginning, those of a request once the signer has signed for one. */
const THERE_MS = 60_000;
const LOOK_AGAIN_MS = 500;
/**
 * Longest wait for a signer to notice a change: its start checks listed entries, and the rest while it serves, within a minute
 * (SECURITY.md).
 */
const NOTICED_MS = 120_000;

type StoreFault = Extract<InjectedFault, { kind: "store" }>;
type Signers = Pick<Cluster, "layout" | "status" | "pause" | "resume" | "kill">;
type Ends = Pick<ProcessEnds, "end" | "startAlone">;

export interface SignerStoresOptions {
  /** a folder of this run, for copies and for former stores of signers */
  readonly folder: string;
  /** all faults of the plan */
  readonly faults: readonly InjectedFault[];
  /** of randomness: which of several entries is lost */
  readonly seed: number;
  /** gives all signers new shares, by an operator's command */
  readonly giveNewShares: (...command: readonly string[]) => Promise<void>;
  readonly report: (words: string) => void;
}

/** A signer that ended because its store lost an entry. */
interface Loss {
  readonly entry: StoreEntry;
  readonly heal: Heal;
}

const nameOf = (index: number): string => `signer-${index}`;

/** The longest time that each signer's store goes back. */
const longestBacks = (faults: readonly InjectedFault[]): ReadonlyMap<number, number> => {
  const longest = new Map<number, number>();
  for (const fault of faults) {
    if (fault.kind !== "store" || fault.change.kind !== "goes back") continue;
    longest.set(fault.signer, Math.max(longest.get(fault.signer) ?? 0, fault.change.byMs));
  }
  return longest;
};

/** Whether a signer's log says that its store was altered, and names the remedy. */
const saysAltered = (log: string): boolean =>
  log.split("\n").some((line) => line.includes("StoreAltered") && line.includes(ERRORS.StoreAltered.remedy));

/**
 * Changes signers' stores without the signers' knowledge. A replaced store is kept until the end of the run, because the
 * presignatures spent in it still count, even if the signer has forgotten them.
 */
export class SignerStores implements Disposable {
  readonly #signers: Signers;
  readonly #ends: Ends;
  readonly #options: SignerStoresOptions;
  readonly #chance: Chance;
  readonly #copies: ReadonlyMap<number, AgedCopies>;
  readonly #past: PastStore[] = [];
  /** signers whose stores lose or lost an entry; their stores are neither copied nor restored */
  readonly #altered = new Set<number>();
  readonly #losses = new Map<number, Loss>();
  /** whether a store was restored from a copy since the last `mend` */
  #isOneBack = false;

  /** Begins to copy those stores that the plan restores from copies. */
  constructor(signers: Signers, ends: Ends, options: SignerStoresOptions) {
    this.#signers = signers;
    this.#ends = ends;
    this.#options = options;
    this.#chance = new Chance(options.seed);
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    const longest = [...longestBacks(options.faults)];
    this.#copies = new Map(longest.map(([index, byMs]) => [index, this.#copiesOf(index, byMs)]));
  }

  /** The replaced stores, in order. */
  get past(): readonly PastStore[] {
    return this.#past;
  }

  /** Injects a fault; only `mend` heals it. @returns once the signer runs again, or has noticed the change */
  async begin({ signer, change }: StoreFault): Promise<Heal> {
    if (this.#altered.has(signer)) {
      throw new Error(`the store of ${nameOf(signer)} lost an entry: it waits for new shares`);
    }
    switch (change.kind) {
      case "loses":
        await this.#lose(signer, change.entry);
        break;
      case "goes back": {
        const copies = this.#copies.get(signer);
        if (copies === undefined) throw new Error(`no store of ${nameOf(signer)} was copied`);
        await copies.goBack(change.byMs);
        this.#isOneBack = true;
      }
    }
    return async () => undefined;
  }

  /**
   * Follows the remedies of StoreAltered and KeyNotRefreshed once nothing is under way: removes altered stores, starts the
   * signers, and gives them new shares.
   * @returns lost entries that exist again: their signers wrote to stores that they had to refuse
   */
  async mend(): Promise<readonly string[]> {
    const again: string[] = [];
    for (const [index, { entry, heal }] of this.#losses) {
      await this.#signers.kill(nameOf(index));
      const folder = this.#takeAway(index);
      // with the entry missing, nobody could read the presignatures that the signer spent
      if (!(await putEntryBack(folder, entry))) again.push(`${entry.name} of ${nameOf(index)}`);
      await heal();
    }
    for (const index of this.#losses.keys()) {
      await this.#options.giveNewShares("reprovision", nameOf(index));
      this.#options.report(`${nameOf(index)} has new shares`);
    }
    if (this.#isOneBack && this.#losses.size === 0) {
      await this.#options.giveNewShares("refresh");
      this.#options.report("all signers have new shares");
    }
    this.#isOneBack = false;
    this.#losses.clear();
    return again;
  }

  /** Stops copying, and removes all copies. */
  [Symbol.dispose](): void {
    for (const copies of this.#copies.values()) copies[Symbol.dispose]();
  }

  #store(index: number): string {
    return join(this.#signers.layout.signer(index), "vault");
  }

  #takeAway(index: number): string {
    const folder = join(this.#options.folder, `past-${this.#past.length}-${nameOf(index)}`);
    renameSync(this.#store(index), folder);
    this.#past.push({ index, folder });
    return folder;
  }

  #copy(index: number, to: string): boolean {
    return copyStanding(this.#signers, nameOf(index), this.#store(index), to);
  }

  #copiesOf(index: number, longestMs: number): AgedCopies {
    const copied = {
      copy: (to: string) => !this.#altered.has(index) && this.#copy(index, to),
      restore: async (from: string) => {
        const heal = await this.#kill(index);
        this.#takeAway(index);
        cpSync(from, this.#store(index), { recursive: true });
        await heal();
      },
    };
    const folder = join(this.#options.folder, `copies-${nameOf(index)}`);
    return new AgedCopies(copied, { folder, everyMs: COPY_EVERY_MS, longestMs });
  }

  #kill(index: number): Promise<Heal> {
    return this.#ends.end({ kind: "kill", places: [{ kind: "signer", number: index }] });
  }

  async #lose(index: number, pattern: string): Promise<void> {
    await this.#untilThere(index, pattern);
    const heal = await this.#kill(index);
    this.#altered.add(index);
    const entry = await removeEntry(this.#store(index), pattern, this.#chance);
    if (entry === undefined) {
      this.#altered.delete(index);
      await heal();
      throw new Error(`${nameOf(index)} has no entry ${pattern} any more`);
    }
    this.#losses.set(index, { entry, heal });
    this.#options.report(`${nameOf(index)} has lost ${entry.name}`);
    await this.#untilNoticed(index);
    this.#options.report(`${nameOf(index)} has noticed it, and ended`);
  }

  /** Waits until an entry exists. It reads copies, because only the signer can open its store. */
  async #untilThere(index: number, pattern: string): Promise<void> {
    const folder = join(this.#options.folder, `look-${nameOf(index)}`);
    const isThere = async (): Promise<true | undefined> => {
      rmSync(folder, { recursive: true, force: true });
      return this.#copy(index, folder) && (await hasEntry(folder, pattern)) ? true : undefined;
    };
    try {
      await waitUntil(isThere, {
        what: `${nameOf(index)} to have an entry ${pattern}`,
        deadlineMs: THERE_MS,
        pollMs: LOOK_AGAIN_MS,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Starts the signer until it exits by itself with the alarm; repeats the start if another fault ended it first. */
  async #untilNoticed(index: number): Promise<void> {
    const name = nameOf(index);
    const log = this.#signers.layout.log(name);
    const from = statSync(log).size;
    const hasEnded = (): boolean =>
      this.#signers.status().some((process) => process.name === name && process.state === "exited");
    const hasNoticed = async (): Promise<true | undefined> => {
      if (hasEnded() && saysAltered(readFileSync(log).subarray(from).toString("utf8"))) return true;
      await this.#ends.startAlone(name);
      return undefined;
    };
    await waitUntil(hasNoticed, {
      what: `${name} to notice that its store lost an entry, and to say what helps`,
      deadlineMs: NOTICED_MS,
      pollMs: LOOK_AGAIN_MS,
    });
  }
}
