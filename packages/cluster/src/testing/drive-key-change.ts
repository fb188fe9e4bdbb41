import { seededEntropy } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { KeyChange } from "../control/command.ts";
import type { KeyChangeResult } from "../coordinator/effect.ts";
import {
  type HeldEpoch,
  openKeyChangeCoordinator,
  stepKeyChangeCoordinator,
} from "../coordinator/key-change/key-change.ts";
import { KEY_CHANGE_ATTEMPT_MS } from "../coordinator/limits.ts";
import { publicKeyInfoOf, signerStatus } from "../signer/signer.ts";
import type { Outcome, TestCluster } from "./cluster.ts";
import { publicKeyOf } from "./drive.ts";
import { authoriseKeyChange, authoriseKeyDiscard, KEY_ID, rosterOf } from "./fixtures.ts";

interface ChangeWish {
  /** as the key is; the first when absent */
  readonly epoch?: number;
  readonly seed?: string;
  /** the provisioned ECDSA key when absent */
  readonly key?: { readonly keyId: string; readonly publicKey: Uint8Array };
}

/** What each live signer holds of the key, as an operator would ask. */
export const heldEpochs = (cluster: TestCluster, keyId = KEY_ID): ReadonlyMap<number, HeldEpoch> =>
  new Map([...heldOf(cluster, keyId)]);

const heldOf = (cluster: TestCluster, key: string) =>
  new Map(
    [...cluster.nodes.values()].flatMap(({ self, state }) => {
      if (state === undefined) return [];
      const { keys, next } = signerStatus(state);
      const epoch = keys.find(({ keyId, state: its }) => keyId === key && its === "active")?.epoch ?? 0;
      const waiting = next.find(({ keyId }) => keyId === key);
      const held: HeldEpoch = waiting === undefined ? { epoch } : { epoch, next: waiting };
      return [[self, held] as const];
    }),
  );

const changeOn = (
  cluster: TestCluster,
  change: KeyChange,
  { epoch = 1, seed = "1", key }: ChangeWish,
): Outcome<KeyChangeResult> => {
  const keyId = key?.keyId ?? KEY_ID;
  const config = {
    roster: rosterOf(cluster.nodes.size),
    keyId,
    epoch,
    change,
    authoriseDiscard: (session: string) => authoriseKeyDiscard(session, keyId),
    entropy: seededEntropy(`key-change-coordinator/${seed}`),
    attemptMs: KEY_CHANGE_ATTEMPT_MS,
  };
  return cluster.drive(() => {
    const known = { live: cluster.live, held: heldOf(cluster, keyId) };
    const opened = openKeyChangeCoordinator(config, known, cluster.schedule.now());
    let { state } = opened;
    return {
      machine: {
        step: (event, nowMs) => {
          const next = stepKeyChangeCoordinator(state, event, nowMs);
          state = next.state;
          return next.effects;
        },
      },
      effects: opened.effects,
    };
  });
};

const authorise = (cluster: TestCluster, kind: KeyChange["kind"], { epoch = 1, key }: ChangeWish) => {
  const [node] = cluster.nodes.values();
  const parties = [...cluster.nodes.keys()];
  const threshold = node?.threshold ?? 0;
  const publicKey = bytesToHex(key?.publicKey ?? publicKeyOf(parties.length, threshold));
  const keyId = key?.keyId ?? KEY_ID;
  return authoriseKeyChange({ kind, keyId, publicKey, epoch, threshold, parties });
};

/** Has a coordinator refresh a key. */
export const refreshOn = (cluster: TestCluster, wish: ChangeWish = {}): Outcome<KeyChangeResult> => {
  const authorisation = authorise(cluster, "key-refresh", wish);
  return changeOn(cluster, { kind: "key-refresh", authorisation }, wish);
};

/** Has a coordinator deal a key out anew, by these dealers. */
export const reshareOn = (
  cluster: TestCluster,
  dealers: readonly number[],
  wish: ChangeWish = {},
): Outcome<KeyChangeResult> => {
  const members = [...cluster.nodes.values()].filter(({ self }) => dealers.includes(self));
  const state = members[0]?.state;
  const info = state === undefined ? undefined : publicKeyInfoOf(state, wish.key?.keyId ?? KEY_ID);
  if (info === undefined) throw new Error("the dealer holds no key");
  const authorisation = authorise(cluster, "key-reshare", wish);
  const indices = members.map(({ self }) => self);
  return changeOn(cluster, { kind: "key-reshare", authorisation, dealers: indices, info }, wish);
};
