import { seededEntropy } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { KeyChange, KeyChangeResult } from "../coordinator/effect.ts";
import {
  type HeldEpoch,
  openKeyChangeCoordinator,
  stepKeyChangeCoordinator,
} from "../coordinator/key-change.ts";
import { KEY_CHANGE_ATTEMPT_MS } from "../coordinator/limits.ts";
import { publicKeyInfoOf, signerStatus } from "../signer/signer.ts";
import type { Outcome, TestCluster } from "./cluster.ts";
import { publicKeyOf } from "./drive.ts";
import { authoriseKeyChange, authoriseKeyDiscard, KEY_ID, rosterOf } from "./fixtures.ts";

/** What each live signer holds of the key, as an operator would ask. */
export const heldEpochs = (cluster: TestCluster): ReadonlyMap<number, HeldEpoch> =>
  new Map([...heldOf(cluster)]);

const heldOf = (cluster: TestCluster) =>
  new Map(
    [...cluster.nodes.values()].flatMap(({ self, state }) => {
      if (state === undefined) return [];
      const { keys, next } = signerStatus(state);
      const epoch = keys.find(({ keyId, state: its }) => keyId === KEY_ID && its === "active")?.epoch ?? 0;
      const waiting = next.find(({ keyId }) => keyId === KEY_ID);
      const held: HeldEpoch = waiting === undefined ? { epoch } : { epoch, next: waiting };
      return [[self, held] as const];
    }),
  );

const changeOn = (
  cluster: TestCluster,
  epoch: number,
  change: KeyChange,
  seed: string,
): Outcome<KeyChangeResult> => {
  const config = {
    roster: rosterOf(cluster.nodes.size),
    keyId: KEY_ID,
    epoch,
    change,
    authoriseDiscard: authoriseKeyDiscard,
    entropy: seededEntropy(`key-change-coordinator/${seed}`),
    attemptMs: KEY_CHANGE_ATTEMPT_MS,
  };
  return cluster.drive(() => {
    const known = { live: cluster.live, held: heldOf(cluster) };
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

const authorise = (cluster: TestCluster, kind: KeyChange["kind"], epoch: number) => {
  const [node] = cluster.nodes.values();
  const parties = [...cluster.nodes.keys()];
  const threshold = node?.threshold ?? 0;
  const publicKey = bytesToHex(publicKeyOf(parties.length, threshold));
  return authoriseKeyChange({ kind, publicKey, epoch, threshold, parties });
};

/** Has a coordinator refresh the provisioned key. */
export const refreshOn = (cluster: TestCluster, epoch = 1, seed = "1"): Outcome<KeyChangeResult> => {
  const authorisation = authorise(cluster, "key-refresh", epoch);
  return changeOn(cluster, epoch, { kind: "key-refresh", authorisation }, seed);
};

/** Has a coordinator deal the provisioned key out anew, by these dealers. */
export const reshareOn = (
  cluster: TestCluster,
  dealers: readonly number[],
  epoch = 1,
  seed = "1",
): Outcome<KeyChangeResult> => {
  const members = [...cluster.nodes.values()].filter(({ self }) => dealers.includes(self));
  const state = members[0]?.state;
  const info = state === undefined ? undefined : publicKeyInfoOf(state, KEY_ID);
  if (info === undefined) throw new Error("the dealer holds no key");
  const authorisation = authorise(cluster, "key-reshare", epoch);
  const change = {
    kind: "key-reshare",
    authorisation,
    dealers: members.map(({ self }) => self),
    info,
  } as const;
  return changeOn(cluster, epoch, change, seed);
};
