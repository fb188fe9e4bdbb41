import { randomBytes } from "node:crypto";
import type { Command, NamedSession } from "@conclave/cluster";
import { livesOf } from "@conclave/platform/coordination";
import type { StreamReport } from "@conclave/platform/grpc";
import type { BenchedLink } from "./cluster/signer-links.ts";

const SESSION_ID_BYTES = 32;

type LastWord = Exclude<StreamReport, { readonly kind: "progress" }>;
type Word<Kind extends LastWord["kind"]> = Extract<LastWord, { readonly kind: Kind }>;

const lastWord = ({ id, client }: BenchedLink, session: NamedSession, command: Command): Promise<LastWord> =>
  new Promise((resolve, reject) => {
    client.begin(session, command, {
      report: (report) => {
        if (report.kind !== "progress") resolve(report);
      },
      lost: (reason) => reject(new Error(`${id}: ${reason}`)),
    });
  });

/**
 * Runs one session with a new id at all given signers.
 *
 * @param isWord whether a signer's final report is of the expected kind
 * @returns the final report of each signer; rejects if a signer reported anything else
 */
export const runSession = async <Kind extends LastWord["kind"]>(
  signers: readonly BenchedLink[],
  command: Command,
  isWord: (word: LastWord) => word is Word<Kind>,
): Promise<readonly Word<Kind>[]> => {
  const lives = await livesOf(signers.map(({ client }) => client));
  const session = { session: new Uint8Array(randomBytes(SESSION_ID_BYTES)), lives };
  const words = await Promise.all(signers.map((link) => lastWord(link, session, command)));
  return words.map((word) => {
    if (!isWord(word)) {
      const why = word.kind === "refusal" ? `: ${word.problem.code}, ${word.problem.message}` : "";
      throw new Error(`a signer ended a ${command.kind} session with ${word.kind}${why}`);
    }
    return word;
  });
};
