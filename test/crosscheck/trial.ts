import { createHash } from "node:crypto";
import type { CrateAnswer, CrateTask } from "./crate-program.ts";

/** A task for the crate, with the judgement of its answer. */
export interface Trial {
  /** trials with one name share a row of the table */
  readonly name: string;
  readonly task: CrateTask;
  /** @returns the reason why the answer is wrong; undefined when it is right */
  readonly flawOf: (answer: CrateAnswer) => string | undefined;
}

/** A message that both sides sign. */
export interface Message {
  readonly hex: string;
  /** its SHA-256 */
  readonly digest: Uint8Array;
}

export const messageOf = (text: string): Message => {
  const bytes = Buffer.from(text, "utf8");
  return { hex: bytes.toString("hex"), digest: Uint8Array.from(createHash("sha256").update(bytes).digest()) };
};

/** Describes an unexpected answer. */
export const unexpected = (answer: CrateAnswer): string =>
  "reason" in answer ? `${answer.kind}: ${answer.reason}` : `the answer is "${answer.kind}"`;
