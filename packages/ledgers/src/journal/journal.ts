import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { type LedgerKeeper, type LedgerRecord, type LedgerStanding, NO_KEEPER } from "../keeper.ts";
import { frameOf, readFrames } from "./frames.ts";

/** Raise this when the shape of any ledger's state or events changes: files of another format are refused. */
const FORMAT = 1;
const SNAPSHOT = "snapshot";
/** Records between two snapshots: a start replays at most this many. */
const RECORDS_MAX = 10_000;

export interface JournalOptions<State, Event> {
  /** the folder of the files; undefined keeps nothing */
  readonly folder: string | undefined;
  /** identifies the ledger, with all parameters of its genesis: a folder belongs to one ledger */
  readonly ledger: string;
  /** makes the state of a new ledger, for an empty folder */
  readonly open: () => State;
  readonly advance: (state: State, event: Event) => { readonly state: State };
}

/** A ledger's state as restored from its folder, and the keeper that records further events there. */
export interface KeptLedger<State, Event> extends LedgerStanding<State> {
  readonly keeper: LedgerKeeper<State, Event>;
}

interface Snapshot<State> extends LedgerStanding<State> {
  readonly format: number;
  readonly ledger: string;
  /** names the file with the records after this snapshot */
  readonly generation: number;
}

const journalName = (generation: number): string => `journal-${generation}`;

/** The folder holds another ledger, or one of another format. */
export class JournalMismatch extends Error {
  constructor(folder: string, found: string, wanted: string) {
    super(
      `${folder} holds the ledger ${found}, not ${wanted}: give this ledger a folder of its own, or remove that one`,
    );
    this.name = "JournalMismatch";
  }
}

/** Another process uses the folder. If both wrote, records would be lost or mixed. */
export class JournalTaken extends Error {
  constructor(folder: string) {
    super(
      `another process goes on with the ledger in ${folder}: stop one of them, or give it a folder of its own`,
    );
    this.name = "JournalTaken";
  }
}

const readSnapshot = <State>(folder: string, ledger: string): Snapshot<State> | undefined => {
  const file = join(folder, SNAPSHOT);
  if (!existsSync(file)) return undefined;
  // written by this code; its format and ledger, which are checked here, determine its type
  const snapshot = deserialize(readFileSync(file)) as Snapshot<State>;
  const name = (of: Pick<Snapshot<State>, "format" | "ledger">): string =>
    `${of.ledger} (format ${of.format})`;
  if (snapshot.format !== FORMAT || snapshot.ledger !== ledger) {
    throw new JournalMismatch(folder, name(snapshot), name({ format: FORMAT, ledger }));
  }
  return snapshot;
};

/** Reads the records of a generation, and truncates a record that a killed process left incomplete. */
const readRecords = <Event>(folder: string, generation: number): readonly LedgerRecord<Event>[] => {
  const file = join(folder, journalName(generation));
  if (!existsSync(file)) return [];
  const { values, length } = readFrames(readFileSync(file));
  truncateSync(file, length);
  return values as readonly LedgerRecord<Event>[];
};

/**
 * Writes a snapshot and begins a new, empty generation of records. Whenever the process dies, the folder has one complete
 * snapshot with the records of its generation.
 */
const writeSnapshot = <State>(folder: string, snapshot: Snapshot<State>): void => {
  const file = join(folder, SNAPSHOT);
  writeFileSync(`${file}.new`, serialize(snapshot));
  renameSync(`${file}.new`, file);
  const kept = new Set([SNAPSHOT, journalName(snapshot.generation)]);
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name));
};

/**
 * Restores a ledger from its folder: the last snapshot, and a replay of every record after it. Records are written before
 * any effect is visible, so a killed process loses nothing; a crash of the machine may lose records.
 * @throws JournalMismatch
 */
export const keepLedger = <State, Event>({
  folder,
  ledger,
  open,
  advance,
}: JournalOptions<State, Event>): KeptLedger<State, Event> => {
  if (folder === undefined) return { state: open(), shiftMs: 0, keeper: NO_KEEPER };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const snapshot = readSnapshot<State>(folder, ledger);
  let [state, shiftMs] = [snapshot?.state ?? open(), snapshot?.shiftMs ?? 0];
  for (const record of readRecords<Event>(folder, snapshot?.generation ?? 0)) {
    if (record.kind === "shift") shiftMs += record.ms;
    else state = advance(state, record.event).state;
  }
  const journal = new FolderJournal<State, Event>(folder, ledger, (snapshot?.generation ?? 0) + 1);
  journal.begin({ state, shiftMs });
  return { state, shiftMs, keeper: journal };
};

/** Writes a whole frame or, on an error, none of it: readers would ignore everything behind an incomplete frame. */
const writeWhole = (file: number, frame: Uint8Array): void => {
  const { size } = fstatSync(file);
  try {
    for (let at = 0; at < frame.length; ) at += writeSync(file, frame, at);
  } catch (cause) {
    ftruncateSync(file, size);
    throw cause;
  }
};

class FolderJournal<State, Event> implements LedgerKeeper<State, Event> {
  readonly #folder: string;
  readonly #ledger: string;
  #generation: number;
  #records = 0;
  #file: number | undefined;

  constructor(folder: string, ledger: string, generation: number) {
    this.#folder = folder;
    this.#ledger = ledger;
    this.#generation = generation;
  }

  /** Starts a generation: from now on the folder has a snapshot of this state, and no records. */
  begin(standing: LedgerStanding<State>): void {
    const next = openSync(join(this.#folder, journalName(this.#generation)), "a", 0o600);
    writeSnapshot(this.#folder, {
      ...standing,
      format: FORMAT,
      ledger: this.#ledger,
      generation: this.#generation,
    });
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = next;
    this.#records = 0;
  }

  keep(record: LedgerRecord<Event>, after: LedgerStanding<State>): void {
    if (this.#file === undefined) return;
    // another process that starts in the folder begins its own generation, and removes this file
    if (fstatSync(this.#file).nlink === 0) throw new JournalTaken(this.#folder);
    writeWhole(this.#file, frameOf(record));
    this.#records += 1;
    if (this.#records < RECORDS_MAX) return;
    this.#generation += 1;
    try {
      this.begin(after);
    } catch {
      // the record is in the present generation; the next record tries the snapshot again
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
