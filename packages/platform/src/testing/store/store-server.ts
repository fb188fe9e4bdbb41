import type { Runner, SqlStatement } from "../../postgres/connection/statements.ts";

/** The fate of a statement when the database is away: it is never run, or it is run and its answer is lost. */
export type StatementFate = "unsent" | "unanswered";

/** A process that uses the server, and may end in the middle of what it does. */
export interface MemoryClient {
  readonly number: number;
  isGone: boolean;
  /** ends the client's turn, while it has one */
  leave: () => void;
  /** asked of each statement before it is run; undefined lets it run */
  readonly fate: (text: string, values: readonly unknown[]) => StatementFate | undefined;
}

/** A database's server in the memory of this process. */
export interface StoreServer {
  /** Has a connection used by a client. @returns what never settles if the client ends meanwhile */
  alone<T>(client: MemoryClient, use: (runner: Runner) => Promise<T>): Promise<T>;
  /** Runs work while the client holds a lock. @returns undefined if somebody holds it already */
  holding<T>(
    client: MemoryClient,
    lock: string,
    work: () => Promise<T>,
  ): Promise<{ readonly value: T } | undefined>;
  listen(channel: string, onNotify: () => void): Promise<() => Promise<void>>;
  /** Does what a server does for a client that is gone: rolls back, and lets go of its locks. */
  end(client: MemoryClient): Promise<void>;
}

/** Runs a statement and answers it, as its fate wants. */
export const answered = async (
  client: MemoryClient,
  asked: SqlStatement,
  run: () => ReturnType<Runner["query"]>,
): ReturnType<Runner["query"]> => {
  if (client.isGone) return never();
  const fate = client.fate(asked.text, asked.values);
  if (fate === "unsent") throw lost();
  const [answer] = await Promise.allSettled([run()]);
  if (client.isGone) return never();
  if (fate === "unanswered") throw lost();
  if (answer.status === "rejected") throw answer.reason;
  return answer.value;
};

/** The answer to a process that is there no more. */
export const never = <T>(): Promise<T> => new Promise(() => undefined);

/** The error of the real driver when its connection breaks. */
const lost = (): Error =>
  Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });
