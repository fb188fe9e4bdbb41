import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { forgetState, LaunchError, listSnapshots, typedAbout, typedCommand } from "@conclave/testbed/launch";
import { clusterFolder } from "../cluster-folder.ts";
import { down } from "./down.ts";

/** A terminal, or a stream in its place. */
interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Has a person say that a cluster's keys, wallets and chain are to be forgotten.
 * @param says the command that says so beforehand
 * @returns whether they are. Rejects with a LaunchError where nobody can be asked
 */
export const isAgreed = async (
  name: string,
  { input, output }: Terminal,
  says = typedCommand("reset", name, { YES: "1" }),
): Promise<boolean> => {
  if (input.isTTY !== true) {
    throw new LaunchError(
      `the keys, wallets and chain of ${name} would be forgotten, and nobody can be asked here`,
      `Say so beforehand: ${says}`,
    );
  }
  const lines = createInterface({ input, output });
  // Ctrl-D and Ctrl-C end the terminal, and the question gets no answer
  const closed = once(lines, "close").then(() => "");
  const question = `Forget all keys, wallets and chains of ${name}? Write its name: `;
  const answer = await Promise.race([lines.question(question), closed]);
  lines.close();
  return answer.trim() === name;
};

/** `conclave reset`: stops the cluster and deletes its state: keys, wallets, chain. @param isSaid whether the caller asks for it already */
export const reset = async (name: string, isSaid: boolean): Promise<void> => {
  const folder = clusterFolder(name);
  if (!existsSync(folder)) {
    // PostgreSQL's data may be elsewhere
    forgetState(folder);
    process.stderr.write(`there is no state of ${name} to forget\n${snapshotsLeft(folder)}`);
    return;
  }
  if (!isSaid && !(await isAgreed(name, { input: process.stdin, output: process.stderr }))) {
    process.stderr.write(`nothing is forgotten\n`);
    return;
  }
  await down(name);
  forgetState(folder);
  process.stderr.write(`the state of ${name} is forgotten\n${snapshotsLeft(folder)}`);
};

const namesLeft = (folder: string): readonly string[] | LaunchError => {
  try {
    return listSnapshots(folder).map(({ name }) => name);
  } catch (cause) {
    // the state is forgotten already
    if (cause instanceof LaunchError) return cause;
    throw cause;
  }
};

/** Names the snapshots that a reset leaves, and how they go: they hold all keys. */
const snapshotsLeft = (folder: string): string => {
  const left = namesLeft(folder);
  if (left instanceof LaunchError) return `${left.message}: those of this cluster stay, with its keys\n`;
  const [first] = left;
  if (first === undefined) return "";
  const deletes = typedAbout("snapshot", folder, { DELETE: first });
  return `its snapshots stay, with its keys: ${left.join(", ")}; \`${deletes}\` deletes one\n`;
};
