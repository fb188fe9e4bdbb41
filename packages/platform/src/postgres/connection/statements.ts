import { createHash } from "node:crypto";
import type { Client } from "pg";
import type { z } from "zod";
import { Outage } from "../../outage.ts";
import { asOutage, asUnknownOutcome, isSilence } from "./away.ts";

/** PostgreSQL truncates a statement's name to 63 bytes */
const NAME_DIGITS = 32;

/**
 * Runs statements, in the pool or in one transaction. A schema parses every row. A statement with values is prepared once
 * per connection, so there must be few different texts: pass everything that varies as a value.
 */
export interface Connection {
  /** Runs a statement and returns its rows, parsed. */
  rows<Row>(schema: z.ZodType<Row>, text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Runs a statement and returns the number of affected rows. */
  execute(text: string, values?: readonly unknown[]): Promise<number>;
  /** Tells others once the transaction has committed, at once where there is none. They may never hear it: they look by themselves too. */
  announce(subject: string): void;
}

/** A statement as the driver takes it. */
export interface SqlStatement {
  readonly text: string;
  values: unknown[];
  readonly name?: string;
}

/** Whatever runs statements: the pool, or one connection. */
export interface Runner {
  query(
    statement: SqlStatement,
  ): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null; readonly command: string }>;
}

export const statementsOf = (runner: Runner, announce: (subject: string) => void): Connection => ({
  announce,
  rows: async (schema, text, values = []) => {
    const { rows } = await runner.query(statement(text, values)).catch(asOutage);
    return rows.map((row) => schema.parse(row));
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
    return rows.map((row) => schema.parse(row));
  } catch (error) {
    isFit = !(error instanceof Outage);
    throw error;
  } finally {
    ended(isFit);
  }
};

/**
 * Runs `work` in a transaction of one connection, which commits when it returns and rolls back when it throws.
 * @param announce tells others what was announced, once it is committed
 * @param ended hears whether the connection can go on: it has answered, and its plans are not stale
 * @throws Outage with the problem OutcomeUnknown when nobody knows whether it was committed
 */
export const inTransactionOf = async <T>(
  runner: Runner,
  work: (connection: Connection) => Promise<T>,
  announce: (subject: string) => void,
  ended: (isFit: boolean) => void = () => undefined,
): Promise<T> => {
  let isFit = true;
  const subjects = new Set<string>();
  try {
    await runner.query(statement("begin")).catch(asOutage);
    const value = await work(statementsOf(runner, (subject) => subjects.add(subject)));
    const { command } = await runner.query(statement("commit")).catch(asUnknownOutcome);
    // so PostgreSQL answers the commit of a transaction in which a statement failed
    if (command === "ROLLBACK")
      throw new Error("a statement of the transaction failed, and its caller went on");
    for (const subject of subjects) announce(subject);
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
