import { type PartyIndex, verifyEd25519 } from "@conclave/threshold";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { clusterOf } from "./cluster-name.ts";
import type { EpochTransition } from "./epoch-certificate.ts";
import type { RosterMember } from "./roster-member.ts";

type Roster = ReadonlyMap<PartyIndex, RosterMember>;

/** The epoch that one session made or tried to make. */
export interface EpochOfSession extends Pick<EpochTransition, "subject"> {
  /** id of the session, as its signers received it, in hex */
  readonly session: string;
}

/** A signer's signed statement that it holds nothing of the epoch that a session made, and never will. */
export interface EpochWaiver {
  readonly signer: number;
  readonly signature: Uint8Array;
}

/** The bytes that a signer's identity key signs when it holds nothing that a session made, gave no receipt, and never will. */
export const waiverBytes = (
  roster: Roster,
  signer: PartyIndex,
  { subject, session }: EpochOfSession,
): Uint8Array =>
  utf8ToBytes(
    JSON.stringify({
      kind: "conclave/v1/epoch-waiver",
      cluster: clusterOf(roster),
      signer,
      subject,
      session,
    }),
  );

/**
 * The number of signers that waive what a session made; each counts once, and only by its own signature.
 *
 * @param among the signers to which the session gave, or would have given, a part; waivers of others do not count
 */
export const waiversOf = (
  roster: Roster,
  among: readonly PartyIndex[],
  unwanted: EpochOfSession,
  waivers: readonly EpochWaiver[],
): number =>
  [...roster].filter(
    ([index, { identity }]) =>
      among.includes(index) &&
      waivers
        .slice(0, roster.size)
        .some(
          ({ signer, signature }) =>
            signer === index && verifyEd25519(signature, waiverBytes(roster, index, unwanted), identity),
        ),
  ).length;
