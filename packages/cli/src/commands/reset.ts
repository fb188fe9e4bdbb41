import { forgetState } from "@conclave/testbed/launch";
import { clusterFolder } from "../cluster-folder.ts";
import { down } from "./down.ts";

/** `conclave reset`: stops the cluster and deletes its state: keys, wallets, chain. */
export const reset = async (name: string): Promise<void> => {
  await down(name);
  forgetState(clusterFolder(name));
  process.stderr.write(`the state of ${name} is forgotten\n`);
};
