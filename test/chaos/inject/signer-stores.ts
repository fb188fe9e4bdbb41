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

/** How often a store is copied that will go back. */
const COPY_EVERY_MS = 1_000;
/** A signer has an entry of most kinds from the begin; one of a request, once it has signed for one. */
const THERE_MS = 60_000;
const LOOK_AGAIN_MS = 500;
/** A start reads what it lists, and compares the rest beside serving: within a minute, says SECURITY.md. */
const NOTICED_MS = 120_000;

type StoreFault = Extract<InjectedFault, { kind: "store" }>;
type Signers = Pick<Cluster, "layout" | "status" | "pause" | "resume" | "kill">;
type Ends = Pick<ProcessEnds, "end" | "startAlone">;

export interface SignerStoresOptions {
  /** of this run: for copies, and for what is taken away from signers */
  readonly folder: string;
  /** all faults of the plan */
  readonly faults: readonly InjectedFault[];
  /** of chance: which of several entries is lost */
  readonly seed: number;
  /** gives all signers new shares, as an operator does with this command */
  readonly giveNewShares: (...command: readonly string[]) => Promise<void>;
  readonly report: (words: string) => void;
}

/** A signer that ended because its store had lost an entry. */
interface Loss {
  readonly entry: StoreEntry;
  readonly heal: Heal;
}

const nameOf = (index: number): string => `signer-${index}`;

/** How far back each signer's store goes at the most. */
const longestBacks = (faults: readonly InjectedFault[]): ReadonlyMap<number, number> => {
  const longest = new Map<number, number>();
  for (const fault of faults) {
    if (fault.kind !== "store" || fault.change.kind !== "goes back") continue;
    longest.set(fault.signer, Math.max(longest.get(fault.signer) ?? 0, fault.change.byMs));
  }
  return longest;
};

/** Whether a signer's log says that its store was altered, and what helps. */
const saysAltered = (log: string): boolean =>
  log.split("\n").some((line) => line.includes("StoreAltered") && line.includes(ERRORS.StoreAltered.remedy));

/**
 * Changes signers' stores behind their backs. A store that is taken away is kept as long as the run: presignatures that its signer has spent
 * count, though the signer may have forgotten them.
 */
export class SignerStores implements Disposable {
  readonly #signers: Signers;
  readonly #ends: Ends;
  readonly #options: SignerStoresOptions;
  readonly #chance: Chance;
  readonly #copies: ReadonlyMap<number, AgedCopies>;
  readonly #past: PastStore[] = [];
  /** signers whose stores lose an entry, or have: nothing is copied from them, or put there */
  readonly #altered = new Set<number>();
  readonly #losses = new Map<number, Loss>();
  /** whether a store went back since the last mending */
  #isOneBack = false;

  /** Copies are made from now on, of those stores that go back in the plan. */
  constructor(signers: Signers, ends: Ends, options: SignerStoresOptions) {
    this.#signers = signers;
    this.#ends = ends;
    this.#options = options;
    this.#chance = new Chance(options.seed);
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    const longest = [...longestBacks(options.faults)];
    this.#copies = new Map(longest.map(([index, byMs]) => [index, this.#copiesOf(index, byMs)]));
  }

  /** Stores that were taken away, in the order in which they were. */
  get past(): readonly PastStore[] {
    return this.#past;
  }

  /** Makes a fault happen; nothing heals it before `mend`. @returns once the signer runs again, or has noticed */
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
   * Does what the remedies of StoreAltered and KeyNotRefreshed say, once nothing is under way: takes altered stores away, starts the signers, and gives them
   * new shares.
   * @returns entries that were lost, and were there again before: the signers used stores that they had to refuse
   */
  async mend(): Promise<readonly string[]> {
    const again: string[] = [];
    for (const [index, { entry, heal }] of this.#losses) {
      await this.#signers.kill(nameOf(index));
      const folder = this.#takeAway(index);
      // else nobody could read what the signer has spent
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

  /** Makes no more copies, and removes those that there are. */
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

  /** Looks into copies: only the signer itself may open its store. */
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

  /** Starts the signer, which has to end by itself, and again where another fault has ended it before. */
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
