import type { PartyIndex } from "@conclave/threshold";
import { seededEntropy } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { KeyChange } from "../control/command.ts";
import type { HeldEpoch } from "../coordinator/certified.ts";
import type { KeyChangeResult } from "../coordinator/effect.ts";
import { openKeyChangeCoordinator, stepKeyChangeCoordinator } from "../coordinator/key-change/key-change.ts";
import { KEY_CHANGE_ATTEMPT_MS } from "../coordinator/limits.ts";
import { certificateOf } from "../signer/epoch/switch-epoch.ts";
import { heldKeys } from "../signer/key-holdings.ts";
import { publicKeyInfoOf } from "../signer/signer.ts";
import type { Outcome, TestCluster } from "./cluster.ts";
import { publicKeyOf } from "./drive.ts";
import { authoriseKeyChange, KEY_ID, rosterOf } from "./fixtures.ts";

interface ChangeWish {
  /** the key's current epoch; the first when absent */
  readonly epoch?: number;
  readonly seed?: string;
  /** without known epochs and certificates, so that it begins another attempt */
  readonly isAlone?: boolean;
  /** the provisioned ECDSA key when absent */
  readonly key?: { readonly keyId: string; readonly publicKey: Uint8Array };
}

/** The key's epochs at each live signer, as an operator would query them. */
export const heldEpochs = (cluster: TestCluster, keyId = KEY_ID): ReadonlyMap<number, HeldEpoch> =>
  heldEpochsOf(cluster, keyId);

/** The key's epochs at each live signer, by the signer's party index. */
export const heldEpochsOf = (cluster: TestCluster, key: string): ReadonlyMap<PartyIndex, HeldEpoch> =>
  new Map(
    [...cluster.nodes.values()].flatMap(({ self, state }) => {
      if (state === undefined) return [];
      const [holding] = heldKeys(state, { kind: "named", keyIds: [key] }).keys;
      const epoch = holding?.state === "active" ? holding.epoch : 0;
      const held: HeldEpoch = { epoch, pending: holding?.next ?? [] };
      return [[self, held] as const];
    }),
  );

/** The certificates with which the live signers answer for their active epoch. */
export const certificatesOf = (cluster: TestCluster, subject: string): readonly Uint8Array[] =>
  [...cluster.nodes.values()].flatMap(({ state }) =>
    state === undefined ? [] : (certificateOf(state, subject) ?? []),
  );

const changeOn = (
  cluster: TestCluster,
  change: (nextEpoch: number) => KeyChange,
  { epoch = 1, seed = "1", key, isAlone = false }: ChangeWish,
): Outcome<KeyChangeResult> => {
  const keyId = key?.keyId ?? KEY_ID;
  const config = {
    roster: rosterOf(cluster.nodes.size),
    keyId,
    epoch,
    change,
    entropy: seededEntropy(`key-change-coordinator/${seed}`),
    attemptMs: KEY_CHANGE_ATTEMPT_MS,
    ...cluster.coordinatorClock,
  };
  const all = heldEpochsOf(cluster, keyId);
  const forged = { receipt: new Uint8Array(64) };
  const held = isAlone
    ? new Map(
        [...all].map(([signer, its]) => [
          signer,
          { ...its, pending: its.pending.map((each) => ({ ...each, ...forged })) },
        ]),
      )
    : all;
  const certificates = certificatesOf(cluster, keyId);
  return cluster.drive({
    open: (known, nowMs) => openKeyChangeCoordinator(config, { ...known, held, certificates }, nowMs),
    step: stepKeyChangeCoordinator,
  });
};

const authorise = (
  cluster: TestCluster,
  kind: KeyChange["kind"],
  { epoch = 1, key }: ChangeWish,
  nextEpoch: number,
) => {
  const [node] = cluster.nodes.values();
  const parties = [...cluster.nodes.keys()];
  const threshold = node?.threshold ?? 0;
  const publicKey = bytesToHex(key?.publicKey ?? publicKeyOf(parties.length, threshold));
  const keyId = key?.keyId ?? KEY_ID;
  return authoriseKeyChange({ kind, keyId, publicKey, epoch, nextEpoch, threshold, parties });
};

/** Has a coordinator refresh a key. */
export const refreshOn = (cluster: TestCluster, wish: ChangeWish = {}): Outcome<KeyChangeResult> => {
  const change = (nextEpoch: number): KeyChange => ({
    kind: "key-refresh",
    authorisation: authorise(cluster, "key-refresh", wish, nextEpoch),
  });
  return changeOn(cluster, change, wish);
};

/** Has a coordinator reshare a key, with these dealers. */
export const reshareOn = (
  cluster: TestCluster,
  dealers: readonly number[],
  wish: ChangeWish = {},
): Outcome<KeyChangeResult> => {
  const members = [...cluster.nodes.values()].filter(({ self }) => dealers.includes(self));
  const state = members[0]?.state;
  const info = state === undefined ? undefined : publicKeyInfoOf(state, wish.key?.keyId ?? KEY_ID);
  if (info === undefined) throw new Error("the dealer holds no key");
  const indices = members.map(({ self }) => self);
  const change = (nextEpoch: number): KeyChange => {
    const authorisation = authorise(cluster, "key-reshare", wish, nextEpoch);
    return { kind: "key-reshare", authorisation, dealers: indices, info };
  };
  return changeOn(cluster, change, wish);
};
