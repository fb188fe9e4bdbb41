import type { Command } from "commander";
import { clusterName } from "./arguments/names.ts";
import { clusterFolder } from "./cluster-folder.ts";

const DEFAULT_NAME = "local";

/** Names the cluster that a command works on. */
export interface ClusterOption {
  readonly name: string;
  readonly state?: string;
}

/** The cluster's state folder. @throws LaunchError for an invalid name */
export const stateFolder = ({ name, state }: ClusterOption): string => state ?? clusterFolder(name);

export const named = (command: Command): Command =>
  command.option(
    "--name <name>",
    "which cluster: its state is in a folder of this name",
    clusterName,
    DEFAULT_NAME,
  );

export const operating = (command: Command): Command =>
  named(command).option("--state <folder>", "the cluster's folder, when it is another");
