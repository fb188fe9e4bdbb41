import { describe, expect, it } from "vitest";
import { KeptTable } from "./kept-table.ts";

const bytes = (value: number): Uint8Array => Uint8Array.of(value);

const written = (
  ...writes: readonly (readonly [name: string, value: number | undefined, isSynced: boolean])[]
) => {
  const table = new KeptTable();
  for (const [name, value, isSynced] of writes)
    table.write([[name, value === undefined ? undefined : bytes(value)]], isSynced);
  return table;
};
const all = (table: KeptTable): readonly string[] =>
  table.range("", "~").map(([name, [first]]) => `${name}=${first}`);

describe("a table on a disk", () => {
  it("lists its entries in the order of their names, from one name to another, so many at most", () => {
    const table = written(["b", 2, true], ["a", 1, true], ["d", 4, true], ["c", 3, true], ["b", 5, true]);
    expect(all(table)).toEqual(["a=1", "b=5", "c=3", "d=4"]);
    expect(table.range("b", "d", 5).map(([name]) => name)).toEqual(["b", "c"]);
    expect(table.range("aa", "z", 1).map(([name]) => name)).toEqual(["b"]);
    table.write(
      [
        ["b", undefined],
        ["x", undefined],
      ],
      true,
    );
    expect([all(table), table.get("b")]).toEqual([["a=1", "c=3", "d=4"], undefined]);
  });

  it("loses the newest writes that are not synced at a power loss, each wholly", () => {
    const table = written(["a", 1, true]);
    table.write(
      [
        ["a", bytes(2)],
        ["b", bytes(2)],
      ],
      false,
    );
    table.write(
      [
        ["a", undefined],
        ["c", bytes(3)],
      ],
      false,
    );
    expect([all(table), table.unsynced]).toEqual([["b=2", "c=3"], 2]);
    const copy = table.copy();
    table.losePower(0);
    expect(all(table)).toEqual(["a=1"]);
    table.restore(new Map([["a", bytes(1)]]));
    table.write(
      [
        ["a", bytes(2)],
        ["b", bytes(2)],
      ],
      false,
    );
    table.write(
      [
        ["a", undefined],
        ["c", bytes(3)],
      ],
      false,
    );
    expect(table.copy()).toEqual(copy);
    table.losePower(1);
    expect([all(table), table.unsynced]).toEqual([["a=2", "b=2"], 0]);
  });

  it("keeps a synced write, and all before it", () => {
    const table = written(["a", 1, false], ["b", 2, true], ["c", 3, false]);
    table.losePower(0);
    expect(all(table)).toEqual(["a=1", "b=2"]);
  });

  it("goes back to a copy, durably", () => {
    const table = written(["b", 1, true], ["a", 2, true]);
    const copy = table.copy();
    table.write(
      [
        ["a", bytes(3)],
        ["c", bytes(3)],
      ],
      false,
    );
    table.restore(copy);
    table.losePower(0);
    expect(all(table)).toEqual(["a=2", "b=1"]);
  });
});
