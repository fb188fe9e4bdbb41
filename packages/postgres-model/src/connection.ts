import type { ModelAnswer, ModelDatabase } from "./database.ts";
import { type LockHolder, LockWait } from "./storage/holder.ts";
import type { ModelTransaction } from "./storage/transaction.ts";
import { SqlStateError } from "./value/sql-error.ts";

/** PostgreSQL's `lock_timeout` of connections, milliseconds: a statement that waits longer for a lock fails. */
const LOCK_TIMEOUT_MS = 3_000;

/** A statement that a server has run, in the order in which statements ended. */
export interface RanStatement {
  /** the number of its connection */
  readonly connection: number;
  readonly text: string;
  readonly values: readonly unknown[];
  /** the time of `now()`, Unix milliseconds */
  readonly nowMs: number;
  /** the rows, or the SQLSTATE of the error */
  readonly answer: ModelAnswer | string;
}

export interface ModelConnectionParts {
  readonly number: number;
  readonly database: ModelDatabase;
  /** calls back after some milliseconds, unless what it returns is called first */
  readonly after: (ms: number, over: () => void) => () => void;
  /** whether the server is closed */
  readonly isOver: () => boolean;
  readonly notify: (channels: readonly string[]) => void;
  readonly ran: (statement: RanStatement) => void;
  /** hears of an error that PostgreSQL would not report: the model does not know a statement, or is wrong */
  readonly broke: (error: unknown) => void;
}

const US_PER_MS = 1_000;
const TERMINATED = "57P01";

/** A connection to the server. It runs one statement after the other; each one waits in it for the locks of other connections. */
export class ModelConnection {
  readonly #parts: ModelConnectionParts;
  #current: ModelTransaction | undefined;
  #isRunning = false;
  #isClosed = false;

  constructor(parts: ModelConnectionParts) {
    this.#parts = parts;
  }

  /** Runs a statement: outside of a transaction it is one by itself. @throws SqlStateError if it fails */
  async query({ text, values }: Pick<RanStatement, "text" | "values">): Promise<ModelAnswer> {
    if (this.#isClosed || this.#parts.isOver())
      throw new SqlStateError(TERMINATED, "the connection is closed");
    const transaction = this.#current ?? this.#parts.database.begin();
    this.#isRunning = true;
    try {
      const answer = await this.#run(transaction, text, values);
      this.#ran(transaction, text, values, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof SqlStateError)) this.#parts.broke(error);
      else if (error.code !== TERMINATED) this.#ran(transaction, text, values, error.code);
      throw error;
    } finally {
      this.#isRunning = false;
      if (this.#isClosed) this.#rollBack();
    }
  }

  /**
   * Rolls back the transaction that is open, if there is one. A statement that waits for a lock goes on: a server does not hear that its
   * client is gone before it answers.
   */
  close(): void {
    this.#isClosed = true;
    if (!this.#isRunning) this.#rollBack();
  }

  #rollBack(): void {
    const open = this.#current;
    this.#current = undefined;
    if (open === undefined || open.isOver) return;
    open.rollback();
    this.#ran(open, "rollback", [], ended("ROLLBACK"));
  }

  #ran(
    transaction: ModelTransaction,
    text: string,
    values: readonly unknown[],
    answer: ModelAnswer | string,
  ): void {
    const { number: connection, ran } = this.#parts;
    ran({ connection, text, values, nowMs: transaction.startedAt / US_PER_MS, answer });
  }

  async #run(transaction: ModelTransaction, text: string, values: readonly unknown[]): Promise<ModelAnswer> {
    switch (text) {
      case "begin":
        this.#current = transaction;
        return ended("BEGIN");
      case "commit":
      case "rollback":
        this.#current = undefined;
        return this.#end(transaction, text);
    }
    if (transaction === this.#current) return this.#inTransaction(transaction, text, values);
    try {
      const answer = await this.#inTransaction(transaction, text, values);
      await this.#end(transaction, "commit");
      return answer;
    } finally {
      if (!transaction.isOver) transaction.rollback();
    }
  }

  async #end(transaction: ModelTransaction, how: "commit" | "rollback"): Promise<ModelAnswer> {
    if (transaction.isOver) return ended("ROLLBACK");
    if (how === "rollback" || transaction.hasFailed) {
      transaction.rollback();
      return ended("ROLLBACK");
    }
    try {
      this.#parts.notify(await this.#patiently(transaction, () => transaction.commit()));
      return ended("COMMIT");
    } catch (error) {
      transaction.rollback();
      throw error;
    }
  }

  async #inTransaction(
    transaction: ModelTransaction,
    text: string,
    values: readonly unknown[],
  ): Promise<ModelAnswer> {
    try {
      return await this.#patiently(transaction, () => this.#parts.database.run(transaction, text, values));
    } catch (error) {
      // PostgreSQL undoes the changes and frees the locks at once, and awaits the end of the transaction
      transaction.hasFailed = true;
      if (!transaction.isOver) transaction.rollback();
      throw error;
    }
  }

  /** Does something again each time after it had to wait. @throws SqlStateError 40P01 for a deadlock, 55P03 where it waits too long */
  async #patiently<T>(transaction: ModelTransaction, work: () => T): Promise<T> {
    for (;;) {
      if (transaction.hasFailed) throw new SqlStateError("25P02", "current transaction is aborted");
      if (transaction.isOver || this.#parts.isOver())
        throw new SqlStateError(TERMINATED, "terminating connection");
      try {
        return work();
      } catch (error) {
        if (!(error instanceof LockWait)) throw error;
        if (waitsFor(error.holders, transaction)) throw new SqlStateError("40P01", "deadlock detected");
        transaction.waitsFor = error.holders;
        await this.#oneEnds(error.holders);
        transaction.waitsFor = [];
      }
    }
  }

  #oneEnds(holders: readonly LockHolder[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.#parts.after(LOCK_TIMEOUT_MS, () =>
        reject(new SqlStateError("55P03", "canceling statement due to lock timeout")),
      );
      for (const holder of holders)
        holder.onEnd(() => {
          cancel();
          resolve();
        });
    });
  }
}

const ended = (command: string): ModelAnswer => ({ rows: [], rowCount: null, command });

/** Whether one of the holders waits, also through others, for a transaction. */
const waitsFor = (holders: readonly LockHolder[], transaction: LockHolder): boolean =>
  holders.some((holder) => holder === transaction || waitsFor(holder.waitsFor, transaction));
