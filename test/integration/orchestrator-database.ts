import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "@conclave/platform";
import type { KnownCluster } from "./signer-access.ts";

/** The database login of a running orchestrator. */
export const ORCHESTRATOR_LOGIN = "conclave_orchestrator";

/** The database, with the running orchestrator's login. */
export const asOrchestrator = ({ layout }: KnownCluster): Database => {
  const url = new URL(readFileSync(layout.databaseUrl, "utf8"));
  url.username = ORCHESTRATOR_LOGIN;
  url.password = readFileSync(join(layout.orchestrator, "database.password"), "utf8").trim();
  return openDatabase({ url: url.href, name: "conclave-integration" });
};
