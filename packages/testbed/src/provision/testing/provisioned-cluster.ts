import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StateLayout, stateLayout } from "../../state/layout.ts";
import { provisionFiles } from "../files.ts";

const folders: string[] = [];
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-provisioned-"));
  folders.push(folder);
  return folder;
};

const provisioned = async (): Promise<string> => {
  const state = freshFolder();
  await provisionFiles({ state, signers: 3, threshold: 2, rpcUrl: "http://anvil:8545", signerPort: 7000 });
  return state;
};
let template: Promise<string> | undefined;

/**
 * The files of a temporary cluster of three signers with threshold 2; no process runs. Each call copies one template,
 * with the same keys, because making keys takes longer than the tests. The files are removed when the process ends.
 */
export const provisionedCluster = async (): Promise<StateLayout> => {
  template ??= provisioned();
  const state = freshFolder();
  cpSync(await template, state, { recursive: true });
  return stateLayout(state);
};
