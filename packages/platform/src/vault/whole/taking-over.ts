import { afterPrefix, type Table, type TableChange } from "../table.ts";
import { combined, type EntryTags, SUM_WORDS } from "./entry-tags.ts";
import { GatheredUnits } from "./gathering.ts";
import { type Counts, countedKindOf, countsWith } from "./kinds.ts";
import { LEAF, leafName, leafOfUnits } from "./leaf.ts";
import { LeafSums } from "./leaf-sums.ts";
import type { Root } from "./root.ts";
import { nameAfter, type Row, readRows } from "./walk.ts";

/** Number of leaves in one write. */
const LEAVES_PER_WRITE = 4_096;
/** Number of entries that are read at once. */
const ROWS_PER_PART = 4_096;
const SYNCED = { sync: true } as const;

/** The knowledge of a table that is kept in memory. */
export interface KnownTable {
  readonly sums: LeafSums;
  readonly root: Root;
  readonly counts: Counts;
}

interface GrownLeaf {
  readonly leaf: number;
  readonly bytes: Buffer;
}

/**
 * Writes the leaves of a table without any: it is new, or of an older version. The caller writes the returned root
 * afterwards, which completes this. A crash before that leaves leaves behind, which the next start removes.
 *
 * @param taken is called with each entry
 */
export const takeOverEntries = async (
  table: Table,
  tags: EntryTags,
  taken: (name: string, value: Uint8Array) => void,
): Promise<KnownTable> => {
  for await (const rows of partsOf(table, { gte: LEAF, lt: afterPrefix(LEAF) })) {
    await table.batch(
      rows.map(([key]) => ({ type: "del", key })),
      SYNCED,
    );
  }
  const gathered = new GatheredUnits();
  const counted = new Map<string, number>();
  const sums = new LeafSums();
  let sum = new Uint32Array(SUM_WORDS);
  const write = async (): Promise<void> => {
    let some: GrownLeaf[] = [];
    const writeSome = async (): Promise<void> => {
      await table.batch(some.map(putOf), SYNCED);
      tags.sums(some.map(({ bytes }) => bytes)).forEach((of, at) => {
        sums.set(some[at]?.leaf ?? 0, of);
      });
      some = [];
    };
    for (const { leaf, units } of gathered.byLeaf()) {
      sum = Uint32Array.from(combined(sum, tags.sum(Buffer.concat(units))));
      some.push({ leaf, bytes: leafOfUnits(table.getSync(leafName(leaf)), units) });
      if (some.length === LEAVES_PER_WRITE) await writeSome();
    }
    if (some.length > 0) await writeSome();
  };
  for await (const rows of partsOf(table, { gte: "", lt: LEAF })) {
    for (const [name, value] of rows) {
      taken(name, value);
      gathered.add(tags.ofName(name), tags.ofValue(name, value));
      const kind = countedKindOf(name);
      if (kind !== undefined) counted.set(kind, (counted.get(kind) ?? 0) + 1);
      if (gathered.isFull) await write();
    }
  }
  await write();
  return { sums, root: { counter: 0, sum }, counts: countsWith(new Map(), counted) };
};

/** All entries of a range, in parts. No iterator is open while the caller writes leaves made of a part. */
async function* partsOf(
  table: Table,
  { gte, lt }: { readonly gte: string; readonly lt: string },
): AsyncGenerator<readonly Row[]> {
  for (let from = gte; ; ) {
    const rows = await readRows(table, { gte: from, lt, limit: ROWS_PER_PART });
    yield rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    from = nameAfter(last[0]);
  }
}

const putOf = ({ leaf, bytes }: GrownLeaf): TableChange => ({
  type: "put",
  key: leafName(leaf),
  value: bytes,
});
