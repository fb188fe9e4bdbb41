import type { SchemeSignature } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { seededEntropy } from "@conclave/threshold/testing";
import type { RosterMember } from "../control/roster-member.ts";
import { SIGNING_ATTEMPT_MS } from "../coordinator/limits.ts";
import type { SigningCoordinatorConfig } from "../coordinator/signing/signing.ts";
import { authoriseTransfer, KEY_ID, rosterOf, transactionOf } from "./fixtures.ts";

/** The only signature that the coordinator of `signingConfigOf` accepts. */
export const RIGHT_SIGNATURE = { scheme: "CGGMP24", r: 1n, s: 1n, recovery: 0 } as const;

const authorisation = authoriseTransfer(1);
const rosters = new Map<number, ReadonlyMap<PartyIndex, RosterMember>>();
const rosterFor = (size: number): ReadonlyMap<PartyIndex, RosterMember> => {
  const roster = rosters.get(size) ?? rosterOf(size);
  rosters.set(size, roster);
  return roster;
};

/** The configuration of a coordinator that gets one transfer signed with ECDSA. @param seed of its randomness */
export const signingConfigOf = (seed: string, [size, threshold] = [5, 3]) =>
  ({
    roster: rosterFor(size),
    threshold,
    keyId: KEY_ID,
    authorisation,
    unsigned: transactionOf(7),
    dead: undefined,
    schemes: ["CGGMP24"],
    verify: ([signature]: readonly SchemeSignature[]): boolean =>
      signature?.scheme === "CGGMP24" && signature.r === RIGHT_SIGNATURE.r,
    entropy: seededEntropy(seed),
    attemptMs: SIGNING_ATTEMPT_MS,
    unixAheadMs: () => 0,
  }) satisfies SigningCoordinatorConfig;
