import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTable } from "../level-table.ts";
import type { Table, TableChange } from "../table.ts";
import { EntryTags } from "./entry-tags.ts";
import { leafOf } from "./leaf.ts";
import { WholeTable } from "./whole-table.ts";

const master = new Secret(new Uint8Array(32).fill(0x5a));
const STEPS = 400;
const NAMES_TRIED = 2_000;
/** Enough records for several parts of a list. */
const OTHERS = 900;

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
};

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "beside-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A table that records whether an iterator is open while something is written. */
const watched = (table: Table) => {
  const overlaps: string[] = [];
  let [readers, writers] = [0, 0];
  const writing = async (change: () => Promise<void>): Promise<void> => {
    if (readers > 0) overlaps.push("a write began while an iterator was open");
    writers++;
    await change();
    writers--;
  };
  const seen: Table = {
    get: (name) => table.get(name),
    getSync: (name) => table.getSync(name),
    put: (name, value, options) => writing(() => table.put(name, value, options)),
    del: (name, options) => writing(() => table.del(name, options)),
    batch: (changes, options) => writing(() => table.batch(changes, options)),
    async *iterator(range) {
      if (writers > 0) overlaps.push("an iterator was opened while something was written");
      readers++;
      try {
        yield* table.iterator(range);
      } finally {
        readers--;
      }
    },
    close: () => table.close(),
  };
  return { seen, overlaps };
};

const opened = async () => {
  const { seen, overlaps } = watched(must(await openTable(join(folder, "table"))));
  return { seen, overlaps };
};

/** Names of which two or three share each leaf. */
const crowded = (): readonly string[] => {
  const tags = new EntryTags(master);
  const byLeaf = new Map<number, string[]>();
  for (let at = 0; at < NAMES_TRIED; at++) {
    const name = `record/${at % 2 === 0 ? "session" : "waiver"}/${at}`;
    const leaf = leafOf(tags.ofName(name));
    byLeaf.set(leaf, [...(byLeaf.get(leaf) ?? []), name]);
  }
  return [...byLeaf.values()].filter((names) => names.length > 1).flat();
};

const drawing = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
};

const text = (value: Uint8Array | undefined): string | undefined =>
  value && Buffer.from(value).toString("utf8");

/** The expected entries: the last requested values, and all values that may be read until they are written. */
class Model {
  readonly #last = new Map<string, string | undefined>();
  readonly #possible = new Map<string, Set<string | undefined>>();

  asked(changes: readonly TableChange[]): void {
    for (const change of changes) {
      const value = change.type === "put" ? text(change.value) : undefined;
      const possible = this.#possible.get(change.key) ?? new Set([this.#last.get(change.key)]);
      this.#possible.set(change.key, possible.add(value));
      this.#last.set(change.key, value);
    }
  }

  /** All writes are done. */
  settled(): void {
    this.#possible.clear();
  }

  mayBe(name: string, value: string | undefined): boolean {
    return (this.#possible.get(name) ?? new Set([this.#last.get(name)])).has(value);
  }

  get entries(): readonly (readonly [string, string])[] {
    return [...this.#last]
      .flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
      .sort();
  }
}

const listed = async (table: WholeTable): Promise<readonly (readonly [string, string | undefined])[]> => {
  const rows: (readonly [string, string | undefined])[] = [];
  for await (const [name, value] of table.iterator({ gte: "record/", lt: "record0" })) {
    rows.push([name, text(value)]);
  }
  return rows.sort();
};

const checkAll = async (table: WholeTable): Promise<number> => {
  let entries = 0;
  for await (const looked of table.check()) entries = looked;
  return entries;
};

describe("writes, reads, lists and checks at once, on few leaves", () => {
  const others = Array.from({ length: OTHERS }, (_, at) => `record/session/other-${at}`);

  test.each([1, 2])(
    "INV-4 no write of this store itself is taken for a foreign change (seed %i)",
    async (seed) => {
      const draw = drawing(seed);
      const names = crowded();
      const { seen, overlaps } = await opened();
      const table = await WholeTable.begin(seen, master, []);
      const model = new Model();
      const before = others.map((key): TableChange => ({ type: "put", key, value: Buffer.from("other") }));
      model.asked(before);
      await table.batch(before, { sync: true });
      model.settled();
      let underWay: Promise<unknown>[] = [];
      for (let step = 0; step < STEPS; step++) {
        const name = names[draw(names.length)] ?? "";
        const kind = draw(20);
        if (kind < 10) {
          const changes = Array.from({ length: 1 + draw(6) }, (_, at): TableChange => {
            const key = (draw(4) === 0 ? others[draw(OTHERS)] : names[draw(names.length)]) ?? "";
            return draw(3) === 0
              ? { type: "del", key }
              : { type: "put", key, value: Buffer.from(`${step}-${at}`) };
          });
          model.asked(changes);
          underWay.push(table.batch(changes, { sync: draw(3) > 0 }));
        } else if (kind < 17) {
          expect(model.mayBe(name, text(table.getSync(name)))).toBe(true);
        } else if (kind === 17) underWay.push(listed(table));
        else if (kind === 18) underWay.push(checkAll(table));
        if (draw(4) === 0) await new Promise(setImmediate);
        if (draw(10) > 0) continue;
        await Promise.all(underWay);
        underWay = [];
        model.settled();
      }
      await Promise.all(underWay);
      model.settled();
      expect(await listed(table)).toEqual(model.entries);
      expect(await checkAll(table)).toBe(model.entries.length + 1);
      await table.close();
      const again = must(await WholeTable.open((await opened()).seen, master));
      expect(await listed(again)).toEqual(model.entries);
      expect(await checkAll(again)).toBe(model.entries.length + 1);
      await again.close();
      expect(overlaps).toEqual([]);
    },
  );
});

describe("LevelDB may bring back older values of entries that are written while an iterator is open", () => {
  const many = Array.from(
    { length: OTHERS },
    (_, at): TableChange => ({
      type: "put",
      key: `record/session/${at}`,
      value: Buffer.from("before"),
    }),
  );

  test("so none is open while a table is taken over that has leaves from a crash", async () => {
    const { seen, overlaps } = await opened();
    const crashed = await WholeTable.begin(seen, master, many);
    await crashed.close();
    const again = await opened();
    await (await WholeTable.begin(again.seen, master, [])).close();
    expect([...overlaps, ...again.overlaps]).toEqual([]);
  });

  test("so a check that is not continued leaves none open", async () => {
    const { seen, overlaps } = await opened();
    const table = await WholeTable.begin(seen, master, many);
    const check = table.check();
    await check.next();
    await table.put("record/session/0", Buffer.from("later"), { sync: true });
    await table.del("record/session/1", { sync: true });
    await check.next();
    await check.return(0);
    await table.close();
    expect(overlaps).toEqual([]);
  });
});

describe("a check that others write beside", () => {
  const range = Array.from({ length: OTHERS }, (_, at) => `record/session/${at.toString().padStart(4, "0")}`);

  /** A table with one entry changed beneath it, and a check that is partly done. */
  const begun = async (alter: (raw: Table) => Promise<void>) => {
    const raw = must(await openTable(join(folder, "table")));
    const puts = range.map((key): TableChange => ({ type: "put", key, value: Buffer.from("value") }));
    await (await WholeTable.begin(raw, master, puts)).close();
    const again = must(await openTable(join(folder, "table")));
    await alter(again);
    const table = must(await WholeTable.open(again, master));
    const check = table.check();
    await check.next();
    return { table, check };
  };
  const rest = async (check: AsyncGenerator<number>): Promise<void> => {
    for await (const _ of check);
  };

  test.each([
    ["was passed", range[3] ?? ""],
    ["is still to come", range.at(-3) ?? ""],
  ])(
    "INV-4 finds what is missing, whether its place %s, though others come and go there",
    async (_, gone) => {
      const { table, check } = await begun((raw) => raw.del(gone, { sync: true }));
      for (const at of [0, 5, 800]) await table.del(range[at] ?? "", { sync: true });
      for (const at of [7, 810]) await table.put(range[at] ?? "", Buffer.from("new"), { sync: true });
      await table.put("record/session/0003b", Buffer.from("new"), { sync: true });
      await expect(rest(check)).rejects.toThrow("changed the store");
      await table.close();
    },
  );

  test("finds nothing wrong in an unaltered store", async () => {
    const { table, check } = await begun(async () => undefined);
    for (const at of [0, 5, 800]) await table.del(range[at] ?? "", { sync: true });
    for (const at of [7, 810]) await table.put(range[at] ?? "", Buffer.from("new"), { sync: true });
    await table.put("record/session/0003b", Buffer.from("new"), { sync: true });
    await rest(check);
    await table.close();
  });
});
