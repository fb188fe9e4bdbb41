import type { Client } from "pg";

/** Ends a connection: the server hears of it, and one that does not answer is not waited for longer than `closeMs`. */
export const closeClient = async (
  client: Pick<Client, "connection" | "end">,
  closeMs: number,
): Promise<void> => {
  const over = setTimeout(() => client.connection.stream.destroy(), closeMs);
  await client.end().catch(() => undefined);
  clearTimeout(over);
};
