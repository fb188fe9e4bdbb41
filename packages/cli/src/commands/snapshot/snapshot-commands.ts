import { resolve } from "node:path";
import type { Command } from "commander";
import { snapshotName } from "../../arguments/names.ts";
import { type ClusterOption, operating, stateFolder } from "../../cluster-option.ts";

interface SnapshotOptions extends ClusterOption {
  readonly list: boolean;
  readonly delete?: string;
  readonly json: boolean;
}

/** Adds the commands that keep and put back the whole state of a cluster on this machine. */
export const addSnapshotCommands = (program: Command): void => {
  operating(program.command("snapshot"))
    .description("keep the whole state of the stopped cluster under a name: keys, records, chains")
    .argument("[snapshot]", "its name, such as before", snapshotName)
    .option("--list", "list the snapshots instead", false)
    .option("--delete <snapshot>", "delete one instead", snapshotName)
    .option("--json", "the list as JSON", false)
    .action(
      async (snapshot: string | undefined, { list, json, delete: deleted, ...cluster }: SnapshotOptions) => {
        const { snapshots } = await import("./snapshots.ts");
        await snapshots(resolve(stateFolder(cluster)), { take: snapshot, list, deleted, json });
      },
    );
  operating(program.command("restore"))
    .description("put a snapshot in place of the stopped cluster's state, which is forgotten")
    .argument("<snapshot>", "its name", snapshotName)
    .option("--yes", "do not ask whether that is meant", false)
    .action(async (snapshot: string, { yes, ...cluster }: ClusterOption & { readonly yes: boolean }) => {
      const { restore } = await import("./snapshots.ts");
      await restore(resolve(stateFolder(cluster)), snapshot, yes);
    });
};
