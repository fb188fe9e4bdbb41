import { type CertificateRenewal, renewCertificates } from "@conclave/testbed";

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** What has to be done before links open with what was written. */
const NEXT = {
  prepare: [
    "They are not in force yet. Restart the orchestrator and all signers one after the other, in any order, so that all trust them:",
    "one that runs elsewhere takes this ca.crt first. Then the same command with --switch puts them in force.",
  ],
  switch: ["They are in force. Restart these members again, one after the other, in any order."],
  both: [
    "They are in force. Restart the orchestrator and all signers now; those that run elsewhere take this ca.crt first. A process that was",
    "restarted and one that was not refuse each other, so nothing is signed until the orchestrator and enough signers were.",
  ],
} as const;

/** `conclave renew-certificates`: makes a new certificate for each member's key, puts it in force, or does one of the two. */
export const renewMembersCertificates = async (renewal: CertificateRenewal): Promise<void> => {
  const renewed = await renewCertificates(renewal);
  const half = renewal.half ?? "both";
  for (const { id, ends } of renewed)
    say(`${id}: a new certificate until ${ends.toISOString().slice(0, 10)}`);
  for (const line of NEXT[half]) say(line);
  const elsewhere = renewed.filter(({ isElsewhere }) => isElsewhere).map(({ id }) => id);
  if (elsewhere.length === 0) return;
  const file = half === "prepare" ? "tls.next.crt" : "tls.crt";
  say(`Here are no keys of ${elsewhere.join(", ")}: bring each the ${file} from its folder.`);
};
