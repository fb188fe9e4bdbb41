import { Client } from "pg";
import { expect, it } from "vitest";
import { dropDatabases } from "./databases-of-file.ts";
import { freshDatabase } from "./shared-postgres.ts";

const connected = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
};

it("databases are dropped after their file, but for those that the file still uses", async () => {
  const [left, used] = [await freshDatabase("empty"), await freshDatabase("empty")];
  const client = await connected(used);
  try {
    await dropDatabases();
    await expect(connected(left)).rejects.toThrow("does not exist");
    await expect(client.query("select 1")).resolves.toMatchObject({ rowCount: 1 });
  } finally {
    await client.end();
  }
});
