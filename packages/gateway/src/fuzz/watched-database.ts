import { AsyncLocalStorage } from "node:async_hooks";
import type { Connection, Database } from "@conclave/platform";

/** Statements that change rows, by themselves or within a `with`. Locking a row, or a `with` that only reads, is no change. */
const CHANGES = /^\s*(with\b.*\b)?(insert into|(?<!for |key )update|delete from)\b/is;

/** One for all worlds, as a world may have several gateways, each with its own database. */
const storage = new AsyncLocalStorage<string[]>();

/** The lasting changes of one request: statements that were not rolled back. */
export interface Changes {
  readonly statements: readonly string[];
}

/** Whether a statement changed rows. */
const isChange = (text: string, touched: number): boolean => touched > 0 && CHANGES.test(text);

/**
 * A database that records which statements each request ran.
 * @param isNoted whether to record a statement, by text and number of rows; by default those that changed rows
 */
export const watchedDatabase = (
  database: Database,
  isNoted: (text: string, touched: number) => boolean = isChange,
): { readonly database: Database; during<T>(work: () => Promise<T>): Promise<[T, Changes]> } => {
  const watch = (connection: Connection, note: (text: string) => void): Connection => {
    const noted = (text: string, touched: number): void => {
      if (isNoted(text, touched)) note(text);
    };
    return {
      rows: async (schema, text, values) => {
        const found = await connection.rows(schema, text, values);
        noted(text, found.length);
        return found;
      },
      listed: async (schema, text, values) => {
        const found = await connection.listed(schema, text, values);
        noted(text, found.length);
        return found;
      },
      execute: async (text, values) => {
        const touched = await connection.execute(text, values);
        noted(text, touched);
        return touched;
      },
      announce: (subject) => connection.announce(subject),
      freshId: connection.freshId,
    };
  };
  const note = (text: string): void => {
    storage.getStore()?.push(text);
  };
  return {
    database: {
      ...watch(database, note),
      transaction: async (work) => {
        const inside: string[] = [];
        const value = await database.transaction((connection) =>
          work(watch(connection, (text) => inside.push(text))),
        );
        // a transaction that was rolled back threw, and never gets here
        for (const text of inside) note(text);
        return value;
      },
      commit: async (schema, text, values) => {
        const found = await database.commit(schema, text, values);
        if (found.length > 0 || isNoted(text, found.length)) note(text);
        return found;
      },
      session: (work) => database.session(work),
      listen: (channel, onNotify) => database.listen(channel, onNotify),
      exclusively: (lock, work) => database.exclusively(lock, work),
      close: () => database.close(),
    },
    during: async (work) => {
      const statements: string[] = [];
      const value = await storage.run(statements, work);
      return [value, { statements }];
    },
  };
};
