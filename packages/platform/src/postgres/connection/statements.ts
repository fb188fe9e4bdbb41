import { createHash } from "node:crypto";
import type { World } from "@conclave/custody";
import type { Client } from "pg";
import type { z } from "zod";
import { Outage } from "../../outage.ts";
import { asOutage, asUnknownOutcome, isSilence } from "./away.ts";
import { type Listed, listedAs, readRow, type UnreadableReport, UnreadableRow } from "./unreadable-row.ts";

/** PostgreSQL truncates a statement's name to 63 bytes */
const NAME_DIGITS = 32;

/**
 * Runs statements, in the pool or in one transaction. A schema parses every row. A statement with values is prepared once
 * per connection, so there must be few different texts: pass everything that varies as a value.
 */
export interface Connection {
  /** Runs a statement and returns its rows, parsed. @throws UnreadableRow if there is one that the schema does not take */
  rows<Row>(schema: z.ZodType<Row>, text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The same of a list that is shown or worked off: rows that the schema does not take are left out, and reported. */
  listed<Row>(schema: z.ZodType<Row>, text: string, values?: readonly unknown[]): Promise<Listed<Row>>;
  /** Runs a statement and returns the number of affected rows. */
  execute(text: string, values?: readonly unknown[]): Promise<number>;
  /** Tells others once the transaction has committed, at once where there is none. They may never hear it: they look by themselves too. */
  announce(subject: string): void;
  /** a new id of the World of the process that opened the connection, for a row that the store makes by itself, such as an event's */
  readonly freshId: World["freshId"];
}

/** A statement as the driver takes it. */
export interface SqlStatement {
  readonly text: string;
  values: unknown[];
  readonly name?: string;
}

/** A runner of statements: the pool, or one connection. */
export interface Runner {
  query(
    statement: SqlStatement,
  ): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null; readonly command: string }>;
}

/** The parts of a connection beside its runner: those that hear of its work, and where its ids come from. */
export interface ConnectionParts {
  readonly announce: (subject: string) => void;
  readonly unreadable: (report: UnreadableReport) => void;
  readonly freshId: World["freshId"];
}

/**
 * The same connection for lists: a row that the schema does not take counts as one that is not there, and is reported, where a row by
 * itself is refused otherwise. Nothing may be decided by it.
 */
export const leavingOut = (connection: Connection): Connection => ({
  ...connection,
  rows: connection.listed,
});

/** @throws UnreadableRow */
const parsed = <Row>(schema: z.ZodType<Row>, row: unknown): Row => {
  const read = readRow(schema, row);
  if ("unreadable" in read) throw new UnreadableRow(read.unreadable);
  return read.row;
};

export const statementsOf = (
  runner: Runner,
  { announce, unreadable, freshId }: ConnectionParts,
): Connection => ({
  announce,
  freshId,
  rows: async (schema, text, values = []) => {
    const { rows } = await runner.query(statement(text, values)).catch(asOutage);
    return rows.map((row) => parsed(schema, row));
  },
  listed: async (schema, text, values = []) => {
    const { rows } = await runner.query(statement(text, values)).catch(asOutage);
    const readable = rows.flatMap((row) => {
      const read = readRow(schema, row);
      if ("row" in read) return [read.row];
      unreadable(read.unreadable);
      return [];
    });
    return listedAs(readable, rows.length - readable.length);
  },
  execute: async (text, values = []) =>
    (await runner.query(statement(text, values)).catch(asOutage)).rowCount ?? 0,
});

/**
 * Prepares statements with values, because planning a small statement costs more than running it. Scripts of several
 * statements cannot be prepared.
 */
const statement = (text: string, values: readonly unknown[] = []): SqlStatement =>
  values.length === 0 ? { text, values: [] } : { text, values: [...values], name: nameOf(text) };

const names = new Map<string, string>();

const nameOf = (text: string): string => {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash("sha256").update(text).digest("hex").slice(0, NAME_DIGITS);
  names.set(text, name);
  return name;
};

/** One connection: one that leaves a statement unanswered is destroyed, for its next answer would be the late one. */
export const runnerOf = (client: Pick<Client, "connection" | "query">): Runner => ({
  query: (asked) =>
    client.query(asked).catch((error: unknown) => {
      if (isSilence(error)) client.connection.stream.destroy();
      throw error;
    }),
});

/**
 * Runs one statement that is a transaction by itself.
 * @param ended hears whether the connection can go on: it has answered
 * @throws Outage with the problem OutcomeUnknown when it was not answered: nobody knows whether it was committed
 */
export const committedBy = async <Row>(
  runner: Runner,
  schema: z.ZodType<Row>,
  text: string,
  values: readonly unknown[],
  ended: (isFit: boolean) => void = () => undefined,
): Promise<readonly Row[]> => {
  let isFit = true;
  try {
    const { rows } = await runner.query(statement(text, values)).catch(asUnknownOutcome);
    return rows.map((row) => parsed(schema, row));
  } catch (error) {
    isFit = !(error instanceof Outage);
    throw error;
  } finally {
    ended(isFit);
  }
};

/**
 * Runs `work` in a transaction of one connection, which commits when it returns and rolls back when it throws.
 * @param parts its `announce` hears what was announced, once it is committed
 * @param ended hears whether the connection can go on: it has answered, and its plans are not stale
 * @throws Outage with the problem OutcomeUnknown when nobody knows whether it was committed
 */
export const inTransactionOf = async <T>(
  runner: Runner,
  work: (connection: Connection) => Promise<T>,
  parts: ConnectionParts,
  ended: (isFit: boolean) => void = () => undefined,
): Promise<T> => {
  let isFit = true;
  const subjects = new Set<string>();
  try {
    await runner.query(statement("begin")).catch(asOutage);
    const value = await work(
      statementsOf(runner, { ...parts, announce: (subject) => subjects.add(subject) }),
    );
    const { command } = await runner.query(statement("commit")).catch(asUnknownOutcome);
    // so PostgreSQL answers the commit of a transaction in which a statement failed
    if (command === "ROLLBACK")
      throw new Error("a statement of the transaction failed, and its caller went on");
    for (const subject of subjects) parts.announce(subject);
    return value;
  } catch (error) {
    const isRolledBack = await runner.query(statement("rollback")).then(
      () => true,
      () => false,
    );
    isFit = isRolledBack && !(error instanceof Outage);
    throw error;
  } finally {
    ended(isFit);
  }
};
