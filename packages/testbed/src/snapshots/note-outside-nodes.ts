import { existsSync } from "node:fs";
import { basename } from "node:path";
import { DEVELOPMENT_NETWORK } from "../development-network.ts";
import { typedCommand } from "../host/typed-command.ts";
import { LaunchError } from "../launch-error.ts";
import type { ClusterOptions } from "../options.ts";
import { stateLayout } from "../state/layout.ts";
import { writePrivate } from "../state/private-file.ts";
import { listSnapshots } from "./list.ts";
import { noteOf, outsideEver } from "./whole-state.ts";

/**
 * Notes for the cluster's whole life that it uses nodes of others.
 * @throws LaunchError where it has snapshots: put back, its signers would have forgotten what they signed for those chains
 */
export const noteOutsideNodes = ({
  state,
  nodes,
  evmRpcUrl,
}: Pick<ClusterOptions, "state" | "nodes" | "evmRpcUrl">): void => {
  const layout = stateLayout(state);
  const given = nodes.map(({ network }) => network);
  const outside = evmRpcUrl === undefined ? given : [DEVELOPMENT_NETWORK, ...given];
  if (outside.length === 0) return;
  const [snapshot] = listSnapshots(state);
  if (snapshot !== undefined) {
    throw new LaunchError(
      `${basename(state)} has snapshots, so it does not start with nodes of others: their chains would not go back with it`,
      `Delete its snapshots first: ${typedCommand("snapshot", basename(state), { DELETE: snapshot.name })}`,
    );
  }
  const known = existsSync(noteOf(layout)) ? outsideEver(layout) : [];
  writePrivate(noteOf(layout), JSON.stringify([...new Set([...known, ...outside])]));
};
