import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { holdersOf, loadRoster, type Roster } from "@conclave/platform";
import { typedCommand } from "../host/typed-command.ts";
import { LaunchError } from "../launch-error.ts";
import { type ClusterOptions, type ClusterRequest, clusterOptions } from "../options.ts";
import { type StateLayout, stateLayout } from "../state/layout.ts";
import { writeSynced } from "../state/synced-file.ts";
import { type ClusterIdentity, giveWebhookKey, makeIdentities, withImportKeys } from "./identities.ts";

type Shape = Pick<ClusterOptions, "signers" | "threshold" | "parameters">;

const checkSameShape = (roster: Roster, asked: Shape, state: string): void => {
  const was = {
    signers: holdersOf(roster).length,
    threshold: roster.threshold,
    parameters: roster.parameters,
  };
  if (
    was.signers === asked.signers &&
    was.threshold === asked.threshold &&
    was.parameters === asked.parameters
  )
    return;
  throw new LaunchError(
    `the state in ${state} is of a cluster of ${was.threshold} of ${was.signers} signers with parameters ${was.parameters}; ` +
      `asked for is ${asked.threshold} of ${asked.signers} with ${asked.parameters}`,
    `Leave --signers and --threshold out: the roster says them. Or give it another --name, or forget it with \`${typedCommand("reset")}\`.`,
  );
};

/**
 * Completes a caller's options. An existing cluster has the n and t of its roster, because members and threshold may have
 * been changed; a new one has the defaults. Rejects with a LaunchError for options that do not fit together.
 */
export const optionsFor = async (request: ClusterRequest): Promise<ClusterOptions> => {
  const { roster: file } = stateLayout(request.state);
  if (!existsSync(file)) return clusterOptions(request);
  const roster = await loadRoster(file);
  return clusterOptions({ signers: holdersOf(roster).length, threshold: roster.threshold, ...request });
};

export const identityIn = (roster: Roster): ClusterIdentity => ({
  clusterId: roster.clusterId,
  authorityKey: roster.authorityKey,
  signers: roster.signers.map(({ address: _, ...identity }) => identity),
  renewals: roster.renewals,
  changes: roster.changes,
  change: roster.change,
});

/**
 * Reads the identities of the cluster in this state folder, or creates them for a new cluster. Rejects with a LaunchError
 * if they do not fit the request.
 */
export const provisionIdentities = async (layout: StateLayout, asked: Shape): Promise<ClusterIdentity> => {
  mkdirSync(layout.logs, { recursive: true, mode: 0o700 });
  if (!existsSync(layout.roster)) {
    const made = await makeIdentities(layout, asked.signers);
    giveWebhookKey(layout);
    return made;
  }
  giveWebhookKey(layout);
  const roster = await loadRoster(layout.roster);
  checkSameShape(roster, asked, layout.root);
  return withImportKeys(layout, identityIn(roster));
};

export interface Addresses {
  /** host:port of a signer, by its index from 1 */
  readonly ofSigner: (index: number) => string;
  /** the entries of the networks file; undefined leaves the file unchanged */
  readonly networks: readonly object[] | undefined;
}

/** Writes the roster, and the networks if they are given, with the addresses of this start. */
export const writeCluster = (
  files: Pick<StateLayout, "roster" | "networks">,
  identity: ClusterIdentity,
  shape: Shape,
  addresses: Addresses,
): Roster => {
  const roster: Roster = {
    clusterId: identity.clusterId,
    parameters: shape.parameters,
    threshold: shape.threshold,
    authorityKey: identity.authorityKey,
    signers: identity.signers.map((signer) => ({
      ...signer,
      address: addresses.ofSigner(signer.index),
    })),
    renewals: identity.renewals,
    changes: identity.changes,
    change: identity.change,
  };
  writeSynced(files.roster, `${JSON.stringify(roster, undefined, 2)}\n`);
  if (addresses.networks !== undefined) {
    writeFileSync(files.networks, `${JSON.stringify(addresses.networks, undefined, 2)}\n`);
  }
  return roster;
};
