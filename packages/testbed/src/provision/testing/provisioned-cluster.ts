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
 * The files of a throw-away cluster, two of whose three signers sign together; nothing of it runs. Each is a copy of one, for to make the
 * keys of many takes longer than what is tested, so all have the same keys. It is removed when the process ends.
 */
export const provisionedCluster = async (): Promise<StateLayout> => {
  template ??= provisioned();
  const state = freshFolder();
  cpSync(await template, state, { recursive: true });
  return stateLayout(state);
};
