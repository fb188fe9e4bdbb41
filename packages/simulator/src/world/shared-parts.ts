import { webhookSecretsOf } from "@conclave/platform";
import { openMemoryBroker, type ProcessStore } from "@conclave/platform/testing";
import { MemoryNetwork } from "@conclave/signer/testing";
import { insecurePeerKeys, testParties } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { LaggingViews } from "../chain/world-chain.ts";
import { openWorldChains } from "../chain/world-chains.ts";
import { insecureAuthority } from "../client/authority.ts";
import { organisationOf } from "../client/organisation.ts";
import { IdealKeys } from "../engine/ideal-keys.ts";
import { TroubledWays } from "../link/troubled-ways.ts";
import { WEBHOOK_KEY } from "../process/insecure-keys.ts";
import type { SharedParts } from "../process/parts.ts";
import { chanceOf } from "../time/chance-of.ts";
import { MachineClocks } from "../time/machine-clocks.ts";
import type { ProcessWorld } from "../time/process-world.ts";
import type { Scheduler } from "../time/scheduler.ts";
import { Trace } from "../trace/trace.ts";
import type { SaidTexts } from "../watch/said-texts.ts";
import { WorldWatch } from "../watch/world-watch.ts";
import { openSimulatedEndpoints } from "../webhook/simulated-endpoints.ts";
import type { ClusterPlan } from "./cluster-plan.ts";

const CLUSTER_ID = "simulated";

/** A node that is behind shows what others showed so many milliseconds ago: up to three blocks. */
const BEHIND_MS = [300, 3_000] as const;

/** The world of a part of the cluster, by its name. */
export type WorldOf = (name: string) => ProcessWorld;

/** The time of a cluster, and its database. */
interface Ground {
  readonly scheduler: Scheduler;
  /** Unix milliseconds at the beginning */
  readonly startMs: number;
  readonly worldOf: WorldOf;
  readonly store: ProcessStore;
  readonly server: { readonly isAway: boolean };
  /** all that was said so far */
  readonly said: SaidTexts;
}

/** Calls of the parts to their cluster. */
interface ClusterCalls extends Pick<SharedParts, "supervise" | "settle" | "failed"> {
  /** whether the faults happen that no plan names */
  readonly hasFaults: () => boolean;
  /** whether all faults have ended */
  readonly isHealed: () => boolean;
}

/** Makes all that the processes of a simulated cluster share. */
export const sharedParts = (
  plan: ClusterPlan,
  { scheduler, startMs, worldOf, store, server, said }: Ground,
  { hasFaults, isHealed, ...calls }: ClusterCalls,
): SharedParts => {
  const {
    seed,
    lostStatements = 0,
    lostAnswers = 0,
    presignatures = 0,
    deathsInWrites = 0,
    clocksApartMs = 0,
  } = plan;
  const views = laggingViews(plan, isHealed, () => watch.reached.add("a node that is behind answers"));
  const [losses, deaths] = [chanceOf(seed, "statements"), chanceOf(seed, "deaths in writes")];
  const chains = openWorldChains(plan.networks, { worldOf, seed, views });
  const authority = insecureAuthority(seed);
  const keys = new IdealKeys(seed);
  const watch = new WorldWatch(
    { readers: chains.map(({ readPayload }) => readPayload), authorityKey: authority.publicKey, keys },
    said,
    scheduler,
  );
  const ways = new TroubledWays({
    chanceOf: (way) => chanceOf(seed, way),
    changed: () => network.waysChanged(),
  });
  const network = new MemoryNetwork(worldOf("network"), (from, to) => ways.of(from, to));
  return {
    ...calls,
    seed,
    scheduler,
    startMs,
    clocks: new MachineClocks(seed, clocksApartMs),
    store,
    statementFate: () => {
      if (server.isAway) return "unsent";
      return !isHealed() && losses.share() < lostStatements ? losses.of(["unsent", "unanswered"]) : undefined;
    },
    trace: new Trace(scheduler),
    broker: openMemoryBroker(worldOf("bus")),
    chains,
    network,
    ways,
    keys,
    roster: rosterOf(plan),
    members: testParties(plan.signers),
    authority,
    organisation: organisationOf(seed, "Acme"),
    otherOrganisation: organisationOf(seed, "Beta"),
    lostAnswers: () => (isHealed() ? 0 : lostAnswers),
    endpoints: openSimulatedEndpoints(worldOf("endpoints"), chanceOf(seed, "endpoints")),
    webhookSecrets: ({ entropy }) => webhookSecretsOf(WEBHOOK_KEY, entropy),
    watch,
    presignatureStock: { low: Math.ceil(presignatures / 2), high: presignatures },
    diesInWrite: () => hasFaults() && deaths.share() < deathsInWrites,
  };
};

/** @param isOver whether no node is behind any more @param answered hears of each call that one which is behind answers */
const laggingViews = (
  { seed, laggingNodes = 0 }: ClusterPlan,
  isOver: () => boolean,
  answered: () => void,
): LaggingViews => {
  const lags = chanceOf(seed, "lagging nodes");
  return {
    behindMs: lags.between(...BEHIND_MS),
    isBehind: () => {
      const isBehind = !isOver() && lags.share() < laggingNodes;
      if (isBehind) answered();
      return isBehind;
    },
  };
};

const rosterOf = ({ signers, threshold }: ClusterPlan): SharedParts["roster"] => ({
  clusterId: CLUSTER_ID,
  threshold,
  parameters: "INSECURE-TEST",
  authorityKey: "00".repeat(32),
  signers: testParties(signers).map((index) => {
    const { identity, encryption } = insecurePeerKeys(index);
    return {
      index,
      id: `signer-${index}`,
      address: `signer-${index}:1`,
      identityKey: bytesToHex(identity),
      encryptionKey: bytesToHex(encryption),
    };
  }),
});
