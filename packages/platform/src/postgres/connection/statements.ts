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
 * Runs statements, in the pool or in one transaction. A schema parses every row. A statement with values is prepared
 * once per connection, so there must be few different texts: pass everything that varies as a value.
 */
export interface Connection {
  /** Runs a statement and returns its rows, parsed. @throws UnreadableRow if the schema rejects a row */
  rows<Row>(schema: z.ZodType<Row>, text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** As `rows`, for lists that are shown or worked through: rows that the schema rejects are left out and reported. */
  listed<Row>(schema: z.ZodType<Row>, text: string, values?: readonly unknown[]): Promise<Listed<Row>>;
  /** Runs a statement and returns the number of affected rows. */
  execute(text: string, values?: readonly unknown[]): Promise<number>;
  /**
   * Announces a subject to other processes once the transaction has committed; at once outside a transaction.
   * Announcements may be lost, so their hearers also poll.
   */
  announce(subject: string): void;
  /** a new id from the World of the process, for a row that the store makes by itself, such as an event */
  readonly freshId: World["freshId"];
}

/** A statement as the driver takes it. */
export interface SqlStatement {
  readonly text: string;
  values: unknown[];
  readonly name?: string;
}

/** Runs statements: the pool, or one connection. */
export interface Runner {
  query(
    statement: SqlStatement,
  ): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null; readonly command: string }>;
}

/** The functions that a connection needs besides its runner. */
export interface ConnectionParts {
  readonly announce: (subject: string) => void;
  readonly unreadable: (report: UnreadableReport) => void;
  readonly freshId: World["freshId"];
}

/**
 * A connection whose `rows` leaves out and reports rows that the schema rejects, instead of throwing. Its result is for
 * display only; no decision may depend on it.
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

/**
 * Runs statements on one connection. A connection that leaves a statement unanswered is destroyed, because the late
 * answer would be taken for that of the next statement.
 */
export const runnerOf = (client: Pick<Client, "connection" | "query">): Runner => ({
  query: (asked) =>
    client.query(asked).catch((error: unknown) => {
      if (isSilence(error)) client.connection.stream.destroy();
      throw error;
    }),
});

/**
 * Runs one statement that is a transaction by itself.
 *
 * @param ended receives whether the connection can be used again, which it can if it answered
 * @throws Outage with the problem OutcomeUnknown if there was no answer, so that it is unknown whether the statement
 * was committed
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
 *
 * @param parts its `announce` is called after the commit
 * @param ended receives whether the connection can be used again: it answered, and its plans are not stale
 * @throws Outage with the problem OutcomeUnknown if it is unknown whether the transaction was committed
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
    // PostgreSQL's answer to the commit of a transaction in which a statement failed
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
