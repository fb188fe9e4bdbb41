import type { Client } from "pg";

/** Closes a connection in order; if the server does not answer within `closeMs`, the connection is destroyed. */
export const closeClient = async (
  client: Pick<Client, "connection" | "end">,
  closeMs: number,
): Promise<void> => {
  const over = setTimeout(() => client.connection.stream.destroy(), closeMs);
  await client.end().catch(() => undefined);
  clearTimeout(over);
};
