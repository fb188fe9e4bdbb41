import type { Chance } from "@conclave/chaos";
import { type Disk, groupKeysIn, type Table, type VaultStore } from "@conclave/platform/vault";
import type { ProcessWorld } from "../time/process-world.ts";
import { type FilesCopy, KeptFiles } from "./kept-files.ts";
import { KeptTable, type TableCopy } from "./kept-table.ts";

/** A write to the disk that is synced takes at most this, microseconds. */
const SYNC_US = 1_500;
const FOLDER = "/";
/** Plans name a signer's records without this prefix; entries that identify the store itself are named as in the table. */
const RECORD_NAMES = "record/";
const OWN = /^(?:vault\/|~)/;

/** The failure of a disk: no write succeeds, or none becomes durable. */
export type DiskFailure = "full" | "unsynced";

/** The whole content of a signer's disk. */
export interface DiskCopy {
  readonly table: TableCopy;
  readonly files: FilesCopy;
}

/** An error in the form of Node's. */
export class DiskError extends Error {
  override readonly name = "DiskError";
  readonly code: "ENOSPC" | "EIO";

  constructor(code: "ENOSPC" | "EIO", words: string) {
    super(`${code}: ${words}`);
    this.code = code;
  }
}

const never = (): Promise<never> => new Promise(() => undefined);

/** The disk of a signer, which outlives its lives: the table of its vault, and the files of keys beside it. */
export class SignerDisk {
  readonly #chance: Chance;
  readonly #begins: (lastsUs: number) => void;
  readonly #table = new KeptTable();
  readonly #files = new KeptFiles();
  readonly #failures: DiskFailure[] = [];
  /** writes that were begun, and have not reached the disk */
  readonly #underWay = new Set<() => void>();
  /** whether a synced write takes virtual time; none does while a signer starts */
  takesTime = false;

  /** @param begins hears of each write that takes time, and how long that is, microseconds */
  constructor(chance: Chance, begins: (lastsUs: number) => void = () => undefined) {
    this.#chance = chance;
    this.#begins = begins;
  }

  /** Whether it fails now. */
  get isFailing(): boolean {
    return this.#failures.length > 0;
  }

  /** Lets it fail. @returns ends this failure, and leaves others */
  fail(failure: DiskFailure): () => void {
    this.#failures.push(failure);
    return () => {
      const at = this.#failures.indexOf(failure);
      if (at >= 0) this.#failures.splice(at, 1);
    };
  }

  /** Loses some of what is not synced, or all, or nothing. To be called of a dead signer. */
  losePower(): void {
    this.#table.losePower(this.#chance.between(0, this.#table.unsynced));
    this.#files.losePower(this.#chance.between(0, this.#files.unsynced));
  }

  copy(): DiskCopy {
    return { table: this.#table.copy(), files: this.#files.copy() };
  }

  /** Puts a copy in the place of all that it holds. To be called of a dead signer. */
  restore({ table, files }: DiskCopy): void {
    this.#table.restore(table);
    this.#files.restore(files);
  }

  /** Removes one entry that matches a plan's pattern: a name, or a prefix and a star. @returns its name; undefined where there is none */
  loseEntry(pattern: string): string | undefined {
    const whole = OWN.test(pattern) ? pattern : RECORD_NAMES + pattern;
    const name = whole.replace(/\*$/, "");
    const found = this.#table.range(name, name === whole ? `${name}\u{0}` : `${name}\u{10ffff}`);
    if (found.length === 0) return undefined;
    const [lost] = this.#chance.of(found);
    this.#table.write([[lost, undefined]], true);
    return lost;
  }

  /** The store as one life of the signer has it. Its death ends writes that are under way: each has happened, or has not. */
  storeFor(world: ProcessWorld): VaultStore {
    world.onDeath(() => {
      for (const land of this.#underWay) if (this.#chance.share() < 0.5) land();
      this.#underWay.clear();
    });
    return { table: this.#tableFor(world), groupKeys: groupKeysIn(FOLDER, this.#filesFor(world)) };
  }

  /** Writes, which takes time where it is synced. @param land makes the change; `isDurable` says whether it is durable then */
  #write(world: ProcessWorld, isSynced: boolean, land: (isDurable: boolean) => void): Promise<void> {
    if (!world.isAlive()) return never();
    if (this.#failures.includes("full"))
      return Promise.reject(new DiskError("ENOSPC", "no space left on device, write"));
    if (!isSynced || !this.takesTime) return this.#landed(isSynced, land);
    return new Promise((resolve, reject) => {
      const late = (): void => land(false);
      this.#underWay.add(late);
      const lastsUs = this.#chance.between(1, SYNC_US);
      this.#begins(lastsUs);
      world.plan(lastsUs, () => {
        this.#underWay.delete(late);
        this.#landed(isSynced, land).then(resolve, reject);
      });
    });
  }

  async #landed(isSynced: boolean, land: (isDurable: boolean) => void): Promise<void> {
    const fails = isSynced && this.#failures.includes("unsynced");
    land(isSynced && !fails);
    // the change may be on the disk or not; the signer cannot know
    if (fails) throw new DiskError("EIO", "i/o error, fsync");
  }

  #tableFor(world: ProcessWorld): Table {
    const table = this.#table;
    const write = (changes: Parameters<KeptTable["write"]>[0], isSynced: boolean): Promise<void> =>
      this.#write(world, isSynced, (isDurable) => table.write(changes, isDurable));
    return {
      get: async (name) => (world.isAlive() ? table.get(name) : never()),
      getSync: (name) => table.get(name),
      put: (name, value, { sync }) => write([[name, value]], sync),
      del: (name, { sync }) => write([[name, undefined]], sync),
      batch: (changes, { sync }) =>
        write(
          changes.map((change) => [change.key, change.type === "put" ? change.value : undefined]),
          sync,
        ),
      iterator: ({ gte, lt, limit }) => listed(table.range(gte, lt, limit)),
      close: async () => undefined,
    };
  }

  #filesFor(world: ProcessWorld): Disk {
    const files = this.#files;
    const change = (make: () => void): Promise<void> => this.#write(world, false, make);
    const durably = (make: () => void): Promise<void> => this.#write(world, true, make);
    return {
      read: async (path) => (world.isAlive() ? files.read(path) : never()),
      readNow: (path) => files.read(path),
      names: async (folder) => files.paths().map((path) => path.slice(folder.length)),
      inodeOf: async (path) => files.inodeOf(path),
      write: (path, text) => durably(() => files.write(path, text)),
      blank: (path) => durably(() => files.blank(path)),
      link: (path, second) => change(() => files.link(path, second)),
      rename: (from, to) => change(() => files.rename(from, to)),
      remove: (path) => change(() => files.remove(path)),
      syncFolder: () =>
        this.#write(world, true, (isDurable) => {
          if (isDurable) files.sync();
        }),
    };
  }
}

async function* listed(
  entries: readonly (readonly [string, Uint8Array])[],
): AsyncGenerator<[string, Uint8Array]> {
  for (const [name, value] of entries) yield [name, value];
}
