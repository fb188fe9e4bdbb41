import { readFileSync } from "node:fs";
import { type Transfer, transferIdSchema } from "@conclave/custody";
import { openDatabase, readTransfer } from "@conclave/platform";
import type { Cluster } from "@conclave/testbed";

/** Everything that an orchestrator knows of a transfer: it stands in the database. */
export const storedTransfer = async ({ layout }: Pick<Cluster, "layout">, id: string): Promise<Transfer> => {
  const database = openDatabase({
    url: readFileSync(layout.databaseUrl, "utf8"),
    name: "conclave-integration",
  });
  try {
    const stored = await readTransfer(database, transferIdSchema.parse(id));
    if (stored === undefined) throw new Error(`${id} is not stored`);
    return stored;
  } finally {
    await database.close();
  }
};
