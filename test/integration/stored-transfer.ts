import { readFileSync } from "node:fs";
import { type Transfer, transferIdSchema } from "@conclave/custody";
import { openDatabase, readTransfer } from "@conclave/platform";
import type { Cluster } from "@conclave/testbed";

/** A transfer as the database stores it: everything that an orchestrator knows of it. */
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
