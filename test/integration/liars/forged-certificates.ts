import { certify, type EpochTransition, receiptBytes } from "@conclave/cluster";
import { membersOf } from "@conclave/platform";
import { type PartyIndex, signEd25519 } from "@conclave/threshold";
import type { Premises } from "../further-family/cluster.ts";
import { identitySecret } from "../lying-signer.ts";

const RECEIPT_BYTES = 65; // the signer's index and the signature

/** The receipts that signers would have given, made with their own keys. */
const receiptsOf = async (
  { layout, roster }: Premises,
  signers: readonly PartyIndex[],
  transition: EpochTransition,
) =>
  Promise.all(
    signers.map(async (signer) => {
      const bytes = receiptBytes(membersOf(roster), signer, transition);
      return [signer, signEd25519(bytes, await identitySecret(layout.signer(signer)))] as const;
    }),
  );

/**
 * The certificates that a lying orchestrator can make when some signers, the last ones, gave no receipt: complete except for
 * those receipts, which the liar signs itself, or copies from others, or leaves out.
 */
export const forgedCertificates = async (
  premises: Premises,
  liar: PartyIndex,
  transition: EpochTransition,
  given: ReadonlyMap<PartyIndex, Uint8Array>,
): Promise<readonly Uint8Array[]> => {
  const members = membersOf(premises.roster);
  const lacking = [...members.keys()].filter((signer) => !given.has(signer)).sort((a, b) => a - b);
  const secret = await identitySecret(premises.layout.signer(liar));
  const missing = await receiptsOf(premises, lacking, transition);
  const whole = certify(members, transition, new Map([...given, ...missing]));
  if (whole === undefined) throw new Error("the receipts that were given are good");
  const head = whole.slice(0, -lacking.length * RECEIPT_BYTES);
  const byLiar = lacking.flatMap((signer) => [
    signer,
    ...signEd25519(receiptBytes(members, signer, transition), secret),
  ]);
  const ofOthers = head.slice(-lacking.length * RECEIPT_BYTES);
  return [Uint8Array.from([...head, ...byLiar]), Uint8Array.from([...head, ...ofOthers]), head];
};
