import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const OWNER_ONLY = 0o600;

/** The stacks of an error and of its causes. Other members may hold what a caller sent, and are left out. */
const stacksOf = (error: unknown): readonly string[] => {
  const stacks: string[] = [];
  const seen = new Set<unknown>();
  let at = error;
  while (at instanceof Error && !seen.has(at)) {
    seen.add(at);
    stacks.push(at.stack ?? `${at.name}: ${at.message}`);
    at = at.cause;
  }
  return stacks.length === 0 ? [String(error)] : stacks;
};

const write = (folder: string, text: string): string => {
  mkdirSync(folder, { recursive: true });
  const time = new Date().toISOString().replace(/[:.]/g, "-");
  const file = join(folder, `conclave-${time}-${randomUUID()}.trace`);
  writeFileSync(file, text, { mode: OWNER_ONLY, flag: "wx" });
  return file;
};

/**
 * Writes the stacks of an error to a new file.
 * @param state the folder of the cluster that the command worked on; where there is none, or it cannot be written to, the file is in
 *   the system's temporary folder
 * @returns the file, or undefined when neither folder can be written to
 */
export const writeTrace = (error: unknown, state: string | undefined): string | undefined => {
  const text = `${new Date().toISOString()}\n${stacksOf(error).join("\ncaused by\n")}\n`;
  const folders = state !== undefined && existsSync(state) ? [join(state, "traces"), tmpdir()] : [tmpdir()];
  for (const folder of folders) {
    try {
      return write(folder, text);
    } catch {
      // the next folder, or none: the sentence has to be said in any case
    }
  }
  return undefined;
};
