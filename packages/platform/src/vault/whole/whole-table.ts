import { fail, ok, type Result } from "@conclave/custody";
import type { Secret } from "@conclave/threshold";
import { afterPrefix, type Table, type TableChange } from "../table.ts";
import { AlteredStore } from "./altered-store.ts";
import { combined, EntryTags, SUM_WORDS, UNIT_BYTES } from "./entry-tags.ts";
import { bytesOfCounts, COUNTS, type Counts, countedKindOf, countsIn, countsWith } from "./kinds.ts";
import { LEAF, leafName, leafOf, leafWith, valueTagIn } from "./leaf.ts";
import { type LeafSums, readLeafSums } from "./leaf-sums.ts";
import { ROOT, type Root, sealRoot, unsealRoot } from "./root.ts";
import { type KnownTable, takeOverEntries } from "./taking-over.ts";
import { type Move, type Row, readRows, Walk } from "./walk.ts";

/** Changes that may wait for a synced write; beyond that, they are written at once. */
const WAITING_MAX = 2_048;

const NO_LEAF = Buffer.alloc(0);
const NO_SUM = (): Uint32Array => new Uint32Array(SUM_WORDS);

/** The last change of each entry: undefined if it is removed. */
type Changes = ReadonlyMap<string, Uint8Array | undefined>;

const lastOf = (changes: readonly TableChange[]): Changes =>
  new Map(changes.map((change) => [change.key, change.type === "put" ? change.value : undefined]));

const listOf = (changes: Changes): readonly TableChange[] =>
  [...changes].map(([key, value]) =>
    value === undefined ? { type: "del", key } : { type: "put", key, value },
  );

/** A leaf after a write. */
interface NextLeaf {
  readonly bytes: Buffer;
  readonly sum: Uint32Array;
}

/** The changes that a write makes in addition to its entries. */
interface Step {
  readonly leaves: ReadonlyMap<number, NextLeaf>;
  readonly counts: Counts;
  readonly root: Root;
  readonly moves: readonly Move[];
}

const unitOf = (nameTag: Buffer, valueTag: Buffer | undefined): Buffer | undefined =>
  valueTag && Buffer.concat([nameTag, valueTag]);

const leafChanges = ({ leaves }: Step): readonly TableChange[] =>
  [...leaves].map(([index, { bytes }]) =>
    bytes.length === 0
      ? { type: "del", key: leafName(index) }
      : { type: "put", key: leafName(index), value: bytes },
  );

/**
 * A table that knows its entries: without the store's key nobody can remove an entry, restore an old one or swap two
 * unnoticed. Each entry has a unit, two keyed tags, in one of the leaves. The sum of all units is in the root, which is
 * sealed and changes in the same write as the entries. A start reads all leaves and compares their sum with the root.
 * Every entry read later, present or absent, is compared with its leaf, and the leaf with its sum, which is in memory.
 * Lists are complete, because entries of listed kinds are counted. `check` compares all entries with the root while
 * other calls go on. It does not detect that the whole table was replaced by an older one with its own root.
 *
 * Every write is synced. LevelDB may lose an unsynced write and keep later ones; the root would then count entries that
 * are missing. Changes that need no sync wait in memory for the next write.
 *
 * Entries are listed and checked in parts that are read between two writes; `readRows` gives the reason.
 */
export class WholeTable implements Table {
  readonly #table: Table;
  readonly #master: Secret<Uint8Array>;
  readonly #tags: EntryTags;
  readonly #sums: LeafSums;
  #root: Root;
  #counts: Counts;
  /** kinds that are listed in part, and whose entries were all counted before */
  readonly #complete = new Set<string>();
  /** changes that wait for the next write */
  #waiting = new Map<string, Uint8Array | undefined>();
  /** the changes of the write under way, or of one that failed: the disk may be as before or after it */
  #landing: { readonly waiting: Changes; readonly leaves: Step["leaves"] } | undefined;
  /** one for each reader that is reading entries */
  readonly #walks = new Set<Walk>();
  /** settles when the table is free for the next write */
  #turn: Promise<unknown> = Promise.resolve();
  #failed: { readonly cause: unknown } | undefined;

  private constructor(table: Table, master: Secret<Uint8Array>, tags: EntryTags, known: KnownTable) {
    this.#table = table;
    this.#master = master;
    this.#tags = tags;
    this.#sums = known.sums;
    this.#root = known.root;
    this.#counts = known.counts;
  }

  /** @returns refusal StoreAltered if the leaves do not match the root */
  static async open(table: Table, master: Secret<Uint8Array>): Promise<Result<WholeTable>> {
    const altered = (entry: string) => fail("StoreAltered", { entry }, new AlteredStore(entry).message);
    const sealed = await table.get(ROOT);
    const root = sealed && unsealRoot(master, sealed);
    if (root === undefined) return altered(ROOT);
    const tags = new EntryTags(master);
    const leaves = await readLeafSums(table, tags);
    if (leaves === undefined || combined(leaves.total, root.sum).some((word) => word !== 0)) {
      return altered("a list of its entries");
    }
    const whole = new WholeTable(table, master, tags, { sums: leaves.sums, root, counts: new Map() });
    try {
      whole.#counts = countsIn(whole.getSync(COUNTS));
      return ok(whole);
    } catch (error) {
      if (error instanceof AlteredStore) return altered(COUNTS);
      throw error;
    }
  }

  /**
   * Makes a table know its entries: a new one, or one of an older version. After a crash it starts over.
   *
   * @param changes are made in the last write, together with the root
   * @param taken is called with each entry
   */
  static async begin(
    table: Table,
    master: Secret<Uint8Array>,
    changes: readonly TableChange[],
    taken: (name: string, value: Uint8Array) => void = () => undefined,
  ): Promise<WholeTable> {
    const tags = new EntryTags(master);
    const whole = new WholeTable(table, master, tags, await takeOverEntries(table, tags, taken));
    const counts: TableChange = { type: "put", key: COUNTS, value: bytesOfCounts(whole.#counts) };
    await whole.batch([...changes, counts], { sync: true });
    return whole;
  }

  /** The number of writes so far: it only grows. */
  get counter(): number {
    return this.#root.counter;
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return this.getSync(name);
  }

  /** @throws AlteredStore if the entry differs from what was written, is missing, or should not exist */
  getSync(name: string): Uint8Array | undefined {
    for (const changes of [this.#waiting, this.#landing?.waiting]) {
      if (changes?.has(name)) return changes.get(name);
    }
    const nameTag = this.#tags.ofName(name);
    // a write may land between the two reads, of the leaf and of the entry; only one can, because the next begins after
    // this one has been taken note of
    for (let tries = 0; tries < 2; tries++) {
      const known = valueTagIn(this.#leaf(leafOf(nameTag)), nameTag);
      const value = this.#table.getSync(name);
      if (this.#isAsKnown(name, value, known)) return value;
      if (this.#landing === undefined) break;
    }
    throw new AlteredStore(name);
  }

  #isAsKnown(name: string, value: Uint8Array | undefined, known: Buffer | undefined): boolean {
    if (value === undefined || known === undefined) return value === known;
    return known.equals(this.#tags.ofValue(name, value));
  }

  #leaf(index: number): Buffer {
    const bytes = this.#table.getSync(leafName(index));
    if (bytes === undefined && this.#sums.isOf(index, NO_SUM())) return NO_LEAF;
    const leaf = bytes === undefined ? NO_LEAF : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (leaf.length % UNIT_BYTES > 0) throw new AlteredStore(leafName(index));
    const sum = this.#tags.sum(leaf);
    if (this.#sums.isOf(index, sum)) return leaf;
    const landing = this.#landing?.leaves.get(index)?.sum;
    if (landing !== undefined && combined(landing, sum).every((word) => word === 0)) return leaf;
    throw new AlteredStore(leafName(index));
  }

  put(name: string, value: Uint8Array, options: { readonly sync: boolean }): Promise<void> {
    return this.batch([{ type: "put", key: name, value }], options);
  }

  del(name: string, options: { readonly sync: boolean }): Promise<void> {
    return this.batch([{ type: "del", key: name }], options);
  }

  /** @param sync if false, the changes are made with the next synced write, and are lost if the process ends before */
  async batch(changes: readonly TableChange[], { sync }: { readonly sync: boolean }): Promise<void> {
    if (sync) return this.#inTurn(() => this.#write(lastOf(changes)));
    await this.#inTurn(async () => {
      for (const [name, value] of lastOf(changes)) this.#waiting.set(name, value);
    });
    if (this.#waiting.size > WAITING_MAX) await this.settle();
  }

  /** Writes the changes that wait, if any. */
  async settle(): Promise<void> {
    if (this.#waiting.size > 0) await this.#inTurn(() => this.#write(new Map()));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(() => {
      if (this.#failed !== undefined) throw this.#noMore(this.#failed);
      return work();
    });
    this.#turn = done.catch((cause: unknown) => {
      this.#failed ??= { cause };
    });
    return done;
  }

  #noMore(failed: { readonly cause: unknown }): Error {
    return new Error("a write to the store failed; nothing more is written", failed);
  }

  async #write(changes: Changes): Promise<void> {
    const waiting = this.#waiting;
    const all = new Map([...waiting, ...changes]);
    if (all.size === 0) return;
    const step = this.#stepOf(all);
    this.#waiting = new Map();
    this.#landing = { waiting, leaves: step.leaves };
    const root: TableChange = { type: "put", key: ROOT, value: sealRoot(this.#master, step.root) };
    const counts: readonly TableChange[] =
      step.counts === this.#counts ? [] : [{ type: "put", key: COUNTS, value: bytesOfCounts(step.counts) }];
    await this.#table.batch([...listOf(all), ...leafChanges(step), ...counts, root], { sync: true });
    this.#landed(step);
  }

  /** Takes note of a write that is on disk. */
  #landed({ leaves, counts, root, moves }: Step): void {
    for (const [index, { sum }] of leaves) this.#sums.set(index, sum);
    this.#counts = counts;
    this.#root = root;
    this.#landing = undefined;
    for (const walk of this.#walks) walk.landed(moves);
  }

  #stepOf(changes: Changes): Step {
    const before = new Map<number, Buffer>();
    const after = new Map<number, Buffer>();
    const counted = new Map<string, number>();
    const moves: Move[] = [];
    const change = (name: string, value: Uint8Array | undefined): void => {
      const nameTag = this.#tags.ofName(name);
      const index = leafOf(nameTag);
      const leaf = after.get(index) ?? this.#leaf(index);
      if (!before.has(index)) before.set(index, leaf);
      const valueTag = value && this.#tags.ofValue(name, value);
      const known = valueTagIn(leaf, nameTag);
      const wasThere = known !== undefined;
      after.set(index, leafWith(leaf, nameTag, valueTag));
      moves.push({ name, before: unitOf(nameTag, known), after: unitOf(nameTag, valueTag) });
      const kind = wasThere === (value !== undefined) ? undefined : countedKindOf(name);
      if (kind !== undefined) counted.set(kind, (counted.get(kind) ?? 0) + (wasThere ? -1 : 1));
    };
    for (const [name, value] of changes) change(name, value);
    const isCounted = [...counted.values()].some((by) => by !== 0);
    const counts = isCounted ? countsWith(this.#counts, counted) : this.#counts;
    if (isCounted && !changes.has(COUNTS)) change(COUNTS, bytesOfCounts(counts));
    return { ...this.#summed(before, after), counts, moves };
  }

  #summed(
    before: ReadonlyMap<number, Buffer>,
    after: ReadonlyMap<number, Buffer>,
  ): Pick<Step, "leaves" | "root"> {
    const sums = this.#tags.sums([...before.values(), ...after.values()]);
    const leaves = new Map<number, NextLeaf>();
    let sum = this.#root.sum;
    [...after].forEach(([index, bytes], at) => {
      const next = sums[before.size + at] ?? NO_SUM();
      sum = combined(combined(sum, sums[at] ?? NO_SUM()), next);
      leaves.set(index, { bytes, sum: next });
    });
    return { leaves, root: { counter: this.#root.counter + 1, sum } };
  }

  /** Runs between two writes, also after a write that failed. */
  #between<T>(look: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(look);
    this.#turn = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  /**
   * Entries in parts, each read between two writes.
   *
   * @param follow is called with the changes that a write makes to entries of parts that were read already
   * @param look is called with each part before the next write begins
   */
  async *#parts<T>(
    range: Parameters<Table["iterator"]>[0],
    follow: (moves: readonly Move[]) => void,
    look: (rows: readonly Row[], isLast: boolean) => T,
  ): AsyncGenerator<T> {
    const walk = new Walk(range, follow);
    this.#walks.add(walk);
    try {
      while (!walk.isOver) {
        yield await this.#between(async () => {
          const rows = await readRows(this.#table, walk.part);
          walk.passed(rows);
          return look(rows, walk.isOver);
        });
      }
    } finally {
      this.#walks.delete(walk);
    }
  }

  /**
   * Entries as they are when their part is read, some hundreds at once; an entry that is written after that is not
   * yielded again.
   *
   * @throws AlteredStore if an entry differs from what was written, or an entry of a listed kind is missing
   */
  async *iterator(range: Parameters<Table["iterator"]>[0]): AsyncGenerator<[string, Uint8Array]> {
    if (this.#failed === undefined) await this.settle();
    if (range.limit !== undefined) await this.#complement(range.gte);
    const found = new Map<string, number>();
    const count = (name: string, by: number): void => {
      const kind = countedKindOf(name);
      if (kind !== undefined) found.set(kind, (found.get(kind) ?? 0) + by);
    };
    const follow = (moves: readonly Move[]): void => {
      for (const { name, before, after } of moves) count(name, Number(!!after) - Number(!!before));
    };
    const parts = this.#parts(range, follow, (rows, isLast) => {
      for (const [name] of rows) count(name, 1);
      if (isLast && range.limit === undefined) this.#compareCounts(range, found);
      return rows.flatMap(([name, value]): [string, Uint8Array][] => {
        const current = this.#current(name, value);
        return current === undefined ? [] : [[name, current]];
      });
    });
    for await (const rows of parts) yield* rows;
  }

  /** Compares the counts, unless a write failed: then the right count is unknown. */
  #compareCounts({ gte, lt }: Parameters<Table["iterator"]>[0], found: Counts): void {
    if (this.#failed !== undefined) return;
    for (const [kind, count] of this.#counts) {
      if (gte <= kind && afterPrefix(kind) <= lt && found.get(kind) !== count) throw new AlteredStore(kind);
    }
  }

  /** The value of an entry that was just read. After a failed write, the entry may have the value of that write. */
  #current(name: string, value: Uint8Array): Uint8Array | undefined {
    if (name === ROOT) return value;
    const nameTag = this.#tags.ofName(name);
    const known = valueTagIn(this.#leaf(leafOf(nameTag)), nameTag);
    return this.#isAsKnown(name, value, known) ? value : this.getSync(name);
  }

  /** Before a part of a kind is listed, all entries of the kind are counted, once. */
  async #complement(from: string): Promise<void> {
    const kind = countedKindOf(from);
    if (kind === undefined || this.#complete.has(kind)) return;
    for await (const _ of this.iterator({ gte: kind, lt: afterPrefix(kind) }));
    this.#complete.add(kind);
  }

  /**
   * Compares all entries with the root while other calls go on. Each entry counts as it is when it is read; later
   * writes to it are added. The caller decides when the check goes on.
   *
   * @returns yields repeatedly how many entries it has checked
   * @throws AlteredStore if an entry is missing, added, or not as it was written
   */
  async *check(): AsyncGenerator<number> {
    let [sum, looked] = [NO_SUM(), 0];
    const add = (units: readonly (Buffer | undefined)[]): void => {
      sum = combined(sum, this.#tags.sum(Buffer.concat(units.map((unit) => unit ?? NO_LEAF))));
    };
    const follow = (moves: readonly Move[]): void =>
      add(moves.flatMap(({ before, after }) => [before, after]));
    const parts = this.#parts({ gte: "", lt: LEAF }, follow, (rows, isLast) => {
      const entries = rows.filter(([name]) => name !== ROOT);
      add(entries.map(([name, value]) => unitOf(this.#tags.ofName(name), this.#tags.ofValue(name, value))));
      looked += entries.length;
      if (isLast) this.#compareSum(sum);
      return looked;
    });
    yield* parts;
  }

  /** Compares the sum with the root; after a failed write the content of the disk is unknown. */
  #compareSum(sum: Uint32Array): void {
    if (this.#failed !== undefined) throw this.#noMore(this.#failed);
    if (combined(sum, this.#root.sum).some((word) => word !== 0)) throw new AlteredStore("an entry");
  }

  async close(): Promise<void> {
    if (this.#failed === undefined) await this.settle();
    await this.#between(() => this.#table.close());
  }
}
