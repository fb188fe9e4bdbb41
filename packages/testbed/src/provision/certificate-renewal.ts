import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { StatedCertificate } from "@conclave/platform";
import type { StateLayout } from "../state/layout.ts";
import type { TurnFile } from "../state/turn-file.ts";
import type { ClusterTrust, HeldCertificates } from "./certificate-in-force.ts";
import type { TlsMember } from "./tls-members.ts";

export interface RenewedMember {
  readonly id: string;
  readonly ends: Date;
  /** whether its certificate has to be brought to another machine */
  readonly isElsewhere: boolean;
  /** whether an earlier command made its certificate */
  readonly isMadeBefore: boolean;
  /**
   * SHA-256 of the public key (SPKI, DER) in hex, by which the owner of a member on another machine checks that the right
   * key was certified
   */
  readonly keyHash: string;
}

/** The input of a command that renews certificates, while it holds the turn. */
export interface RenewalInHand {
  readonly layout: StateLayout;
  readonly clusterId: string;
  /** the members that the command names */
  readonly members: readonly TlsMember[];
  /** all members of the cluster */
  readonly allMembers: readonly TlsMember[];
  readonly turn: TurnFile;
  /** called after each write to disk with its name; tests interrupt there */
  readonly reached: (step: string) => void;
}

export const trustOf = ({ layout, clusterId }: RenewalInHand): ClusterTrust => ({
  clusterId,
  authorities: readFileSync(layout.ca, "utf8"),
});

export const renewedMember = (
  { member, isElsewhere }: HeldCertificates,
  { ends, publicKey }: StatedCertificate,
  isMadeBefore: boolean,
): RenewedMember => {
  const spki = publicKey.export({ type: "spki", format: "der" });
  const keyHash = createHash("sha256").update(spki).digest("hex");
  return { id: member.id, ends, isElsewhere, isMadeBefore, keyHash };
};
