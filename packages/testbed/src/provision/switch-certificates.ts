import { join } from "node:path";
import type { MemberCertificate } from "@conclave/platform";
import { LaunchError } from "../launch-error.ts";
import { moveSynced } from "../state/synced-file.ts";
import { type ClusterTrust, type HeldCertificates, heldCertificates } from "./certificate-in-force.ts";
import { type RenewalInHand, type RenewedMember, renewedMember, trustOf } from "./certificate-renewal.ts";
import { fittingCertificate } from "./prepared-certificate.ts";
import { IN_FORCE, PREPARED } from "./tls-member-files.ts";

const PREPARE_AGAIN =
  "Give the command with --prepare for all of them, and restart all again, before --switch.";

interface Switched {
  readonly held: HeldCertificates;
  /** the prepared certificate; undefined if there is none */
  readonly next: MemberCertificate | undefined;
}

/** Rejects with a LaunchError if the prepared certificate cannot be put in force. */
const switchedOf = (held: HeldCertificates, trust: ClusterTrust): Switched => {
  if (held.prepared === undefined) return { held, next: undefined };
  const read = fittingCertificate(held.prepared, held, trust, Date.now());
  if (read.ok) return { held, next: read.value };
  throw new LaunchError(
    `what is prepared for ${held.member.id} ${read.problem.message}`,
    `Look at the clock of this machine. ${PREPARE_AGAIN} If the clock was ahead when the one in force was made, put ${PREPARED} in the ` +
      `place of ${IN_FORCE} by hand instead of --switch.`,
  );
};

/**
 * Refuses certificates of more than one authority: a process that has not read a member's authority refuses that member,
 * so all must be restarted for the same one.
 */
const refuseMixed = (all: readonly Switched[]): void => {
  const authorities = new Set(all.flatMap(({ next }) => next?.authority ?? []));
  if (authorities.size > 1) {
    throw new LaunchError("what is prepared was made by more than one renewal", PREPARE_AGAIN);
  }
  const lacking = all.filter(({ held: { inForce }, next }) => {
    const isServed = inForce.authority !== undefined && authorities.has(inForce.authority);
    return next === undefined && !isServed;
  });
  if (lacking.length === 0) return;
  throw new LaunchError(
    `no certificate is prepared for ${lacking.map(({ held }) => held.member.id).join(", ")}`,
    "Give the command with --prepare first, for all of them. If nothing is prepared for any, an earlier --switch may have done it all.",
  );
};

/** Puts the prepared certificates in force. Members that an interrupted command has already switched are skipped. */
export const switchCertificates = (renewal: RenewalInHand): readonly RenewedMember[] => {
  const { members, turn, reached } = renewal;
  const trust = trustOf(renewal);
  const all = members.map((member) => switchedOf(heldCertificates(member, trust), trust));
  refuseMixed(all);
  for (const { held, next } of all) {
    if (next === undefined) continue;
    turn.stillHeld();
    moveSynced(join(held.member.folder, PREPARED), join(held.member.folder, IN_FORCE));
    reached(`${held.member.id} in force`);
  }
  return all.map(({ held, next }) => renewedMember(held, next ?? held.inForce, true));
};
