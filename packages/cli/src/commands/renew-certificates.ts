import { type CertificateRenewal, type RenewedMember, renewCertificates } from "@conclave/testbed";

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** The remaining steps until links use the written certificates. */
const NEXT = {
  prepare: [
    "They are not in force yet. Restart the orchestrator and all signers one after the other, in any order, so that all trust them, also those",
    "that were restarted after an earlier --prepare: one that runs elsewhere takes this ca.crt first. Then the same command with --switch puts",
    "them in force.",
  ],
  kept: [
    "They were prepared before, and stay as they are: processes that were restarted since trust them. They are not in force yet. Restart the",
    "others of the orchestrator and all signers; one that runs elsewhere takes this ca.crt first. Then the same command with --switch puts them",
    "in force.",
  ],
  switch: ["They are in force. Restart these members again, one after the other, in any order."],
  both: [
    "They are in force. Restart the orchestrator and all signers now; those that run elsewhere take this ca.crt first. A process that was",
    "restarted and one that was not refuse each other, so nothing is signed until the orchestrator and enough signers were.",
  ],
} as const;

const lineOf = ({ id, ends, isMadeBefore }: RenewedMember): string => {
  const date = ends.toISOString().slice(0, 10);
  return isMadeBefore ? `${id}: prepared before, until ${date}` : `${id}: a new certificate until ${date}`;
};

/**
 * Prints the hashes of keys that run elsewhere. This machine knows such a member's key only from its certificate, which
 * may have been replaced on its way here.
 */
const sayOfElsewhere = (elsewhere: readonly RenewedMember[], file: string): void => {
  if (elsewhere.length === 0) return;
  const ids = elsewhere.map(({ id }) => id).join(", ");
  say(`Here are no keys of ${ids}: bring each the ${file} from its folder.`);
  say(
    "Before anybody takes this ca.crt, compare with each owner the SHA-256 of the public key that was certified:",
  );
  for (const { id, keyHash } of elsewhere) say(`${id}: ${keyHash}`);
};

/**
 * `conclave renew-certificates`: makes new certificates for the members' keys and puts them in force, or does only one of
 * the two.
 */
export const renewMembersCertificates = async (renewal: CertificateRenewal): Promise<void> => {
  const renewed = await renewCertificates(renewal);
  const half = renewal.half ?? "both";
  for (const member of renewed) say(lineOf(member));
  const isKept = half === "prepare" && renewed.every(({ isMadeBefore }) => isMadeBefore);
  for (const line of NEXT[isKept ? "kept" : half]) say(line);
  sayOfElsewhere(
    renewed.filter(({ isElsewhere }) => isElsewhere),
    half === "prepare" ? "tls.next.crt" : "tls.crt",
  );
};
