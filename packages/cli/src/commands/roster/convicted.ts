import { createHash } from "node:crypto";
import { ERRORS, type ErrorCode } from "@conclave/custody";
import { loadRoster, type Roster } from "@conclave/platform/config";
import type { PutOut } from "@conclave/testbed/change-roster";
import { LaunchError } from "@conclave/testbed/launch";
import { readEvidence } from "../../evidence/evidence-file.ts";
import { signerNamed } from "../../evidence/fault-words.ts";
import { verdictOverTime } from "../../evidence/verdict-over-time.ts";
import { printable } from "../../printable.ts";

/** @param remedy by default the one in the table of errors */
const refused = (code: ErrorCode, why: string, remedy: string = ERRORS[code].remedy): LaunchError =>
  new LaunchError(printable(why), printable(remedy), code);

/** Refuses evidence that does not prove, by the signer's present identity, that this signer deviated. */
const checkConviction = (
  roster: Roster,
  id: string,
  file: string,
  read: Parameters<typeof verdictOverTime>[0],
): void => {
  const { verdict, accusedSince, putOut } = verdictOverTime(read, roster);
  if (verdict.kind !== "proven") throw refused("EvidenceNotProven", `${file} proves nothing: ${verdict.why}`);
  const accused = signerNamed(roster, read.evidence.accused);
  if (accused !== id) throw refused("EvidenceForeign", `${file} convicts ${accused}, not ${id}`);
  if (putOut !== undefined)
    throw refused("EvidenceUsed", `${id} was put out for ${file} already, ${putOut.date}`);
  if (accusedSince === undefined) return;
  throw refused(
    "EvidenceForeign",
    `${file} convicts an identity that ${id} has no more since ${accusedSince.date}: a thief of it can have made the file`,
    "A signer is put out for evidence against the identity that it has; --lost and --remove need none.",
  );
};

/**
 * Reads evidence against a signer, and requires that it convicts this signer by the roster. Rejects with a LaunchError
 * otherwise.
 *
 * @param path of the roster
 * @returns the signer, with the reason for its removal: the SHA-256 of the evidence
 */
export const convicted = async (path: string, id: string, file: string): Promise<PutOut> => {
  const roster = await loadRoster(path);
  const read = await readEvidence(file);
  if (read.kind === "unreadable") throw refused("EvidenceUnreadable", `${file}: ${read.why}`, read.remedy);
  if (read.clusterId !== roster.clusterId) {
    throw refused(
      "EvidenceForeign",
      `${file} is of the cluster ${read.clusterId}, and the roster is of ${roster.clusterId}`,
      "Name the evidence against a signer of this cluster.",
    );
  }
  checkConviction(roster, id, file, read);
  const evidence = createHash("sha256").update(read.bytes).digest("hex");
  return { id, reason: { why: "cheated", evidence } };
};
