import type { Command } from "commander";
import { clusterFolder } from "./cluster-folder.ts";

const DEFAULT_NAME = "local";

/** Which cluster a command is about. */
export interface ClusterOption {
  readonly name: string;
  readonly state?: string;
}

/** Its state folder. @throws LaunchError for a name that is none */
export const stateFolder = ({ name, state }: ClusterOption): string => state ?? clusterFolder(name);

export const named = (command: Command): Command =>
  command.option("--name <name>", "which cluster: its state is in .conclave/<name>", DEFAULT_NAME);

export const operating = (command: Command): Command =>
  named(command).option("--state <folder>", "the cluster's folder, when it is another");
