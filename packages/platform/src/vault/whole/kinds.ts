import { HISTORY_PREFIXES } from "@conclave/cluster";

/** The entry that holds the number of entries of each kind. */
export const COUNTS = "vault/2/counts";
/** Matches the kind of a name: the part up to and including its second slash. */
const KIND = /^(?:record|vault\/1)\/[^/]+\//;
/** Kinds with entries that change at each signature. They are never listed, so they are not counted. */
const UNCOUNTED: ReadonlySet<string> = new Set([
  ...HISTORY_PREFIXES.map((prefix) => `record/${prefix}`),
  "vault/1/deadline/",
]);

/** Number of entries by kind. */
export type Counts = ReadonlyMap<string, number>;

/** The kind of an entry, if its kind is counted; counted kinds are those that are ever listed. */
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

/** @param bytes as this store wrote them */
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
