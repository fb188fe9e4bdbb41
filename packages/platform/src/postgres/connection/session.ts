import { Client, type ClientConfig } from "pg";
import { asOutage } from "./away.ts";
import { closeClient } from "./close.ts";
import {
  type Connection,
  type ConnectionParts,
  inTransactionOf,
  runnerOf,
  statementsOf,
} from "./statements.ts";

/** A connection outside the pool, whose statements may take any time: for migrations. */
export interface DatabaseSession extends Connection {
  /** Runs `work` in one transaction, which commits when it returns and rolls back when it throws. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}

/**
 * Runs `work` on a new connection, and closes it. During a statement, only TCP probes notice that the host has
 * vanished.
 *
 * @throws Outage if the database does not answer
 */
export const inSession = async <T>(
  config: ClientConfig,
  closeMs: number,
  work: (session: DatabaseSession) => Promise<T>,
  parts: ConnectionParts,
): Promise<T> => {
  const client = new Client(config);
  // a client that breaks between two statements emits an error event, which ends the process if nobody handles it
  client.on("error", () => undefined);
  try {
    await client.connect().catch(asOutage);
    const runner = runnerOf(client);
    return await work({
      ...statementsOf(runner, parts),
      transaction: (inside) => inTransactionOf(runner, inside, parts),
    });
  } finally {
    await closeClient(client, closeMs);
  }
};
