import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "@conclave/testbed";
import type { CompatWorld } from "./compat-world.ts";

/** Runs a command of the cluster's operator. */
export const operatorSays = async (
  { cluster }: CompatWorld,
  ...words: readonly string[]
): Promise<string> => {
  const main = join(repositoryRoot(), "packages/cli/dist/main.js");
  const place = ["--state", cluster.layout.root];
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...words, ...place]);
  return stdout;
};
