import type { SchemeSignature } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { seededEntropy, testParty } from "@conclave/threshold/testing";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { KeyChange } from "../../control/command.ts";
import { keyHolders, type RosterMember } from "../../control/roster-member.ts";
import { openAuxiliaryCoordinator, stepAuxiliaryCoordinator } from "../../coordinator/auxiliary/auxiliary.ts";
import type { HeldEpoch } from "../../coordinator/certified.ts";
import type { AuxiliaryResult, KeyChangeResult, SigningResult } from "../../coordinator/effect.ts";
import {
  openKeyChangeCoordinator,
  stepKeyChangeCoordinator,
} from "../../coordinator/key-change/key-change.ts";
import { agreedInfo, chooseDealers, membersHolding } from "../../coordinator/key-change/key-committee.ts";
import {
  AUXILIARY_ATTEMPT_MS,
  KEY_CHANGE_ATTEMPT_MS,
  MESSAGE_ATTEMPT_MS,
  SIGNING_ATTEMPT_MS,
} from "../../coordinator/limits.ts";
import { openSigningCoordinator, stepSigningCoordinator } from "../../coordinator/signing/signing.ts";
import type { PublicInfo } from "../../signer/key-change/public-info.ts";
import { publicKeyInfoOf, signerStatus } from "../../signer/signer.ts";
import type { Outcome, TestCluster } from "../cluster.ts";
import { isSignatureBy } from "../drive.ts";
import { certificatesOf, heldEpochsOf } from "../drive-key-change.ts";
import {
  authoriseAuxiliary,
  authorisedAnew,
  authoriseKeyChange,
  authoriseMessage,
  authoriseTransfer,
  configOf,
  rosterOf,
  transactionOf,
} from "../fixtures.ts";
import { isMessageSignature, MESSAGE } from "../message-drive.ts";

/** A roster of test parties, as in a cluster's file during a change or afterwards. */
export interface RosterShape {
  readonly parties: readonly number[];
  readonly threshold: number;
  readonly leaving?: readonly number[];
  /** the parties of earlier times, the latest first; by default all that did not just join */
  readonly past?: readonly (readonly number[])[];
  /** parties that joined in the last change */
  readonly joined?: readonly number[];
}

const PARTIES_MAX = 8;

/** The members of such a roster. */
export const rosterAt = ({ parties, leaving = [] }: RosterShape): ReadonlyMap<PartyIndex, RosterMember> =>
  new Map(
    [...rosterOf(PARTIES_MAX)]
      .filter(([party]) => parties.includes(party))
      .map(([party, member]) => [
        party,
        {
          ...member,
          ...(leaving.includes(party) ? { isLeaving: true } : {}),
        },
      ]),
  );

const pastOf = ({ parties, joined = [], past }: RosterShape) => {
  const before = past ?? [parties.filter((party) => !joined.includes(party))];
  return { past: before.map((each) => rosterAt({ parties: each, threshold: 2 })) };
};

/** Restarts every signer of a roster with it, one after the other, and stops those that it no longer has. */
export const takeRoster = (cluster: TestCluster, shape: RosterShape): void => {
  const roster = rosterAt(shape);
  const { threshold } = shape;
  cluster.restartWith(
    ...[...roster.keys()].map((self) => ({
      ...configOf(self, PARTIES_MAX, threshold),
      roster,
      ...pastOf(shape),
    })),
  );
  cluster.kill(...[...cluster.nodes.keys()].filter((party) => !roster.has(party)));
};

/** The public info of a key on which the live signers agree; undefined while too few agree. */
export const agreedAmong = (cluster: TestCluster, keyId: string): PublicInfo | undefined => {
  const said = [...cluster.nodes].flatMap(([party, { state }]) => {
    const info = state && publicKeyInfoOf(state, keyId);
    return info === undefined ? [] : [[party, info] as const];
  });
  return agreedInfo(new Map(said), 2);
};

/** The public info of a key, as an operator gets it from the signers of a roster. */
export const infoAmong = (cluster: TestCluster, keyId: string): PublicInfo => {
  const info = agreedAmong(cluster, keyId);
  if (info === undefined) throw new Error(`nobody holds ${keyId}`);
  return info;
};

interface MoveWish {
  /** a reshare by default; a refresh requires that the roster's holders hold the key */
  readonly kind?: KeyChange["kind"];
  /** changes a signer's epochs in its answer to the operator */
  readonly heard?: (party: PartyIndex, held: HeldEpoch) => HeldEpoch;
}

/** Has a coordinator move a key to the signers of a roster that stay. */
export const moveKeyOn = (
  cluster: TestCluster,
  shape: RosterShape,
  keyId: string,
  seed = "1",
  { kind = "key-reshare", heard = (_, each) => each }: MoveWish = {},
): Outcome<KeyChangeResult> => {
  const roster = rosterAt(shape);
  const info = infoAmong(cluster, keyId);
  const { epoch } = info;
  const held = new Map(
    [...heldEpochsOf(cluster, keyId)].flatMap(([party, each]) =>
      roster.has(party) ? [[party, heard(party, each)] as const] : [],
    ),
  );
  const able = [...held].flatMap(([party, each]) => (each.epoch === epoch ? [party] : []));
  const dealers = chooseDealers(roster, info, able);
  if (dealers === undefined) throw new Error("too few signers hold the key");
  const config = {
    roster,
    ...pastOf(shape),
    released: dealers.released,
    keyId,
    epoch,
    change: (nextEpoch: number): KeyChange => {
      const { threshold } = shape;
      const [parties, publicKey] = [keyHolders(roster), bytesToHex(info.publicKey)];
      const order = { kind, keyId, publicKey, epoch, nextEpoch, threshold, parties };
      const authorisation = authoriseKeyChange(order);
      return kind === "key-refresh"
        ? { kind, authorisation }
        : { kind, authorisation, dealers: dealers.dealers, info: info.bytes };
    },
    entropy: seededEntropy(`key-move/${seed}`),
    attemptMs: KEY_CHANGE_ATTEMPT_MS,
    ...cluster.coordinatorClock,
  };
  const certificates = certificatesOf(cluster, keyId);
  return cluster.drive({
    open: (known, nowMs) => openKeyChangeCoordinator(config, { ...known, held, certificates }, nowMs),
    step: stepKeyChangeCoordinator,
  });
};

/** Has a coordinator bring new auxiliary information to all signers of a roster. */
export const renewAuxiliaryOn = (
  cluster: TestCluster,
  shape: RosterShape,
  from: number,
): Outcome<AuxiliaryResult> => {
  const roster = rosterAt(shape);
  const held = new Map(
    [...cluster.nodes.values()].flatMap(({ self, state }) =>
      state === undefined ? [] : [[self, signerStatus(state).auxiliary] as const],
    ),
  );
  const config = {
    roster,
    from,
    authorise: (old: number, epoch: number) => authoriseAuxiliary(old, epoch, [...roster.keys()]),
    entropy: seededEntropy(`auxiliary-of-roster/${String(shape.parties)}/${from}`),
    attemptMs: AUXILIARY_ATTEMPT_MS,
    ...cluster.coordinatorClock,
  };
  return cluster.drive({
    open: (known, nowMs) => openAuxiliaryCoordinator(config, { ...known, held, certificates: [] }, nowMs),
    step: stepAuxiliaryCoordinator,
  });
};

/** Whether the signature verifies under the key; a signature of the tiny engine is just the digest. */
const isBy = (info: PublicInfo, [signature]: readonly SchemeSignature[], unsigned: Uint8Array): boolean => {
  if (signature === undefined || signature.scheme !== info.scheme) return false;
  if (signature.scheme === "CGGMP24" && signature.s === 1n) {
    return signature.r === BigInt(`0x${bytesToHex(sha256(unsigned))}`);
  }
  return signature.scheme === "CGGMP24"
    ? isSignatureBy(info.publicKey, signature, sha256(unsigned))
    : isMessageSignature(info.scheme, signature.bytes, MESSAGE, info.publicKey);
};

/**
 * Has a coordinator sign with a key among the key's own holders, even if the roster has others.
 *
 * @param info the coordinator's knowledge of the key and its holders, which may be outdated
 */
export const signWithKey = (
  cluster: TestCluster,
  shape: RosterShape,
  keyId: string,
  request = 1,
  requestedAtMs = cluster.world.nowMs(),
  info = infoAmong(cluster, keyId),
): Outcome<SigningResult> => {
  const { scheme, threshold } = info;
  const isEcdsa = scheme === "CGGMP24";
  const unsigned = isEcdsa ? transactionOf(request) : new Uint8Array(0);
  const date = new Date(requestedAtMs).toISOString();
  const wanted = isEcdsa
    ? authoriseTransfer(request, keyId, date)
    : authoriseMessage(MESSAGE, { keyId, scheme });
  const config = {
    roster: membersHolding(rosterAt(shape), info),
    threshold,
    keyId,
    authorisation: authorisedAnew(wanted, cluster.world.nowMs()),
    unsigned,
    dead: undefined,
    schemes: [scheme],
    verify: (signatures: readonly SchemeSignature[]) => isBy(info, signatures, unsigned),
    entropy: seededEntropy(`signing-of-roster/${request}`),
    attemptMs: isEcdsa ? SIGNING_ATTEMPT_MS : MESSAGE_ATTEMPT_MS,
    ...cluster.coordinatorClock,
  };
  return cluster.drive({
    open: (known, nowMs) => openSigningCoordinator(config, known, nowMs),
    step: stepSigningCoordinator,
  });
};

/** Whether a signer of the cluster has a share of a key, of any epoch. */
export const holdsShare = (cluster: TestCluster, signer: number, keyId: string): boolean => {
  const { state } = cluster.node(testParty(signer));
  return state !== undefined && publicKeyInfoOf(state, keyId) !== undefined;
};
