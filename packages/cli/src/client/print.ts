import { printable } from "../printable.ts";
import { table } from "../table.ts";

/** How results are shown: as data for programs, or as a table for people. */
export interface Shown {
  readonly json: boolean;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Prints a list. @param empty what is said to people when there is nothing */
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

/** Prints one thing: its fields, those that it does not have left out. */
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

/** One line for people, of what happens while they wait: on stderr, so that stdout has the result alone. */
export const note = (line: string): void => void process.stderr.write(`${printable(line)}\n`);
