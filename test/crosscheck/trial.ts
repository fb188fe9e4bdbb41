import { createHash } from "node:crypto";
import type { CrateAnswer, CrateTask } from "./crate-program.ts";

/** One thing that the crate is asked to do, and whether its answer is the right one. */
export interface Trial {
  /** trials of one name make one line of the table */
  readonly name: string;
  readonly task: CrateTask;
  /** @returns the reason why the answer is wrong; undefined when it is right */
  readonly flawOf: (answer: CrateAnswer) => string | undefined;
}

/** A message that is signed, for both sides. */
export interface Message {
  readonly hex: string;
  /** its SHA-256 */
  readonly digest: Uint8Array;
}

export const messageOf = (text: string): Message => {
  const bytes = Buffer.from(text, "utf8");
  return { hex: bytes.toString("hex"), digest: Uint8Array.from(createHash("sha256").update(bytes).digest()) };
};

/** Says what came instead of the answer that was due. */
export const unexpected = (answer: CrateAnswer): string =>
  "reason" in answer ? `${answer.kind}: ${answer.reason}` : `the answer is "${answer.kind}"`;
