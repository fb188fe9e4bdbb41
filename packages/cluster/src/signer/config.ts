import type { SigningReader } from "@conclave/custody";
import {
  type IdentityRoster,
  type ImportSigner,
  importSignerIdOf,
  type PartyIndex,
  type PartySecrets,
  type Secret,
} from "@conclave/threshold";
import { keyHolders, type RosterMember } from "../control/roster-member.ts";

export type OperatorChoice = "refused" | "allowed";

export interface SignerConfig {
  readonly self: PartyIndex;
  /** this signer's secrets; its identity key signs receipts */
  readonly secrets: Secret<PartySecrets>;
  /** every signer, self included */
  readonly roster: ReadonlyMap<PartyIndex, RosterMember>;
  /** the identities of the cluster at earlier times, the latest first */
  readonly past?: readonly IdentityRoster[];
  /** t: number of signers that sign together */
  readonly threshold: number;
  /**
   * id of the cluster, in statements that the signer signs with its identity key, so that they are valid in this
   * cluster alone
   */
  readonly clusterId: string;
  /** name of the security level; stored material of another level is refused at start */
  readonly parameters: string;
  /** Ed25519 public key whose signature authorises requests, 32 bytes */
  readonly authorityKey: Uint8Array;
  /** whether this signer's operator allows key import; the authority alone does not decide it */
  readonly keyImport: OperatorChoice;
  /** whether this signer's operator allows key export: with t such signers, the authority can obtain any key */
  readonly keyExport: OperatorChoice;
  /**
   * Unix milliseconds: the date by which the operator has the forgetting marks corrected at this start
   * (session/mended-marks.ts)
   */
  readonly mendedAtMs?: number;
  /** digests (SHA-256, hex) of evidence whose quarantine the operator lifts at this start (quarantine/quarantine.ts) */
  readonly liftedEvidence?: readonly string[];
  /**
   * Compares what is to be signed with what was authorised, on this signer's own networks and below their fee caps
   * (INV-3), and applies the family's rule for what may follow a transaction (INV-4). Pure.
   */
  readonly reader: SigningReader;
}

/** The signers by the ids of their import keys; undefined when the roster lacks an import key. */
export const importSignersOf = (config: SignerConfig): readonly ImportSigner[] | undefined => {
  const holders = keyHolders(config.roster);
  const signers = holders.flatMap((party) => {
    const importKey = config.roster.get(party)?.importKey;
    return importKey === undefined ? [] : [{ party, signerId: importSignerIdOf(importKey) }];
  });
  return signers.length === holders.length ? signers : undefined;
};

/** All parties of the roster, ascending: the auxiliary information is theirs. */
export const allParties = ({ roster }: Pick<SignerConfig, "roster">): readonly PartyIndex[] =>
  [...roster.keys()].sort((a, b) => a - b);

/** The parties of an attempt by an older version: all signers of the first roster. */
export const firstParties = ({
  roster,
  past = [],
}: Pick<SignerConfig, "roster" | "past">): readonly PartyIndex[] =>
  [...(past.at(-1) ?? roster).keys()].sort((a, b) => a - b);
