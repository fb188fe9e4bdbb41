import { startPostgres } from "./backing.ts";
import { type ClusterRequest, clusterOptions } from "./options.ts";
import { clusterPorts } from "./ports.ts";
import { stateLayout } from "./state/layout.ts";
import { ProcessTable } from "./state/process-table.ts";
import { Supervisor } from "./supervisor.ts";

/**
 * Works with a cluster's database while no other process of the cluster runs.
 *
 * @param work receives the URL of the database, with the owner's login; the server stops after it settles
 * @throws LaunchError when the cluster runs, or its PostgreSQL does not start
 */
export const withDatabaseAlone = async <Value>(
  request: ClusterRequest,
  work: (databaseUrl: string) => Promise<Value>,
): Promise<Value> => {
  const options = clusterOptions(request);
  const layout = stateLayout(options.state);
  const table = new ProcessTable(layout.run);
  await table.acquire();
  const supervisor = new Supervisor(table, options.onProgress);
  try {
    const ports = await clusterPorts(options, [], []);
    const { databaseUrl } = await startPostgres({ options, layout, ports, supervisor });
    return await work(databaseUrl);
  } finally {
    await supervisor.stop(["postgres"]);
    table.release();
  }
};
