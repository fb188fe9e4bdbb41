import { printable } from "../printable.ts";
import { table } from "../table.ts";

/** How results are shown: as data for programs, or as a table for people. */
export interface Shown {
  readonly json: boolean;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Prints a list. @param empty printed instead of an empty table */
export const printList = <Item>(
  { json }: Shown,
  items: readonly Item[],
  head: readonly string[],
  row: (item: Item) => readonly string[],
  empty: string,
): void => {
  if (json) say(JSON.stringify(items, undefined, 2));
  else if (items.length === 0) say(empty);
  else
    say(
      table(
        head,
        items.map((item) => row(item).map(printable)),
      ),
    );
};

/** Prints the fields of one thing; undefined fields are left out. */
export const printOne = (
  { json }: Shown,
  data: unknown,
  fields: Readonly<Record<string, string | undefined>>,
): void => {
  if (json) {
    say(JSON.stringify(data, undefined, 2));
    return;
  }
  const known = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const width = Math.max(...known.map(([name]) => name.length));
  for (const [name, value] of known) say(`  ${name.padEnd(width)}  ${printable(value)}`);
};

/** Prints a progress line for people to stderr, so that stdout has only the result. */
export const note = (line: string): void => void process.stderr.write(`${printable(line)}\n`);
