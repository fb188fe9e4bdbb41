import { randomBytes } from "node:crypto";
import type { BeginRequest } from "@conclave/cluster";
import type { StreamReport } from "@conclave/platform/grpc";
import type { SignerLink } from "./cluster/signer-links.ts";

const SESSION_ID_BYTES = 32;

type LastWord = Exclude<StreamReport, { readonly kind: "progress" }>;
type Word<Kind extends LastWord["kind"]> = Extract<LastWord, { readonly kind: Kind }>;

const lastWord = (
  { id, client }: SignerLink,
  session: Uint8Array,
  request: BeginRequest,
): Promise<LastWord> =>
  new Promise((resolve, reject) => {
    client.begin(session, request, {
      report: (report) => {
        if (report.kind !== "progress") resolve(report);
      },
      lost: (reason) => reject(new Error(`${id}: ${reason}`)),
    });
  });

/**
 * Runs one session with a new id at all given signers.
 *
 * @param isWord whether a final report is the expected one
 * @returns the final report of each signer; rejects if a signer reported anything else
 */
export const runSession = async <Kind extends LastWord["kind"]>(
  signers: readonly SignerLink[],
  request: BeginRequest,
  isWord: (word: LastWord) => word is Word<Kind>,
): Promise<readonly Word<Kind>[]> => {
  const session = new Uint8Array(randomBytes(SESSION_ID_BYTES));
  const words = await Promise.all(signers.map((link) => lastWord(link, session, request)));
  return words.map((word) => {
    if (!isWord(word)) throw new Error(`a signer ended a ${request.kind} session with ${word.kind}`);
    return word;
  });
};
