import { HISTORY_PREFIXES } from "@conclave/cluster";

/** The entry that says how many entries of each kind there are. */
export const COUNTS = "vault/2/counts";
/** A kind: the part of a name up to its second slash, with the slash. */
const KIND = /^(?:record|vault\/1)\/[^/]+\//;
/** Entries that come and go with each signature are never listed, so that nobody counts them. */
const UNCOUNTED: ReadonlySet<string> = new Set([
  ...HISTORY_PREFIXES.map((prefix) => `record/${prefix}`),
  "vault/1/deadline/",
]);

/** How many entries there are, by what their names begin with. */
export type Counts = ReadonlyMap<string, number>;

/** The kind of an entry, if entries of its kind are counted: those that are ever listed. */
export const countedKindOf = (name: string): string | undefined => {
  const kind = KIND.exec(name)?.[0];
  return kind === undefined || UNCOUNTED.has(kind) ? undefined : kind;
};

export const countsWith = (counts: Counts, changes: Counts): Counts => {
  const next = new Map(counts);
  for (const [kind, change] of changes) {
    const count = (next.get(kind) ?? 0) + change;
    if (count === 0) next.delete(kind);
    else next.set(kind, count);
  }
  return next;
};

export const bytesOfCounts = (counts: Counts): Uint8Array =>
  Buffer.from([...counts].map(([kind, count]) => `${kind} ${count}`).join("\n"), "utf8");

/** @param bytes that this store wrote itself */
export const countsIn = (bytes: Uint8Array | undefined): Counts => {
  const lines = Buffer.from(bytes ?? new Uint8Array(0))
    .toString("utf8")
    .split("\n");
  const counts = new Map<string, number>();
  for (const line of lines) {
    const [kind = "", count = ""] = line.split(" ");
    if (kind !== "") counts.set(kind, Number(count));
  }
  return counts;
};
