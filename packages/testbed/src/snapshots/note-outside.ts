import { mkdirSync } from "node:fs";
import { basename } from "node:path";
import { DEVELOPMENT_NETWORK } from "../development-network.ts";
import { typedAbout } from "../host/typed-command.ts";
import { LaunchError } from "../launch-error.ts";
import type { ClusterOptions } from "../options.ts";
import { stateLayout } from "../state/layout.ts";
import { writePrivate } from "../state/private-file.ts";
import { listSnapshots } from "./list.ts";
import { noteOf, OTHER_RECORDS, outsideEver } from "./whole-state.ts";

const OWNER_ONLY = 0o700;

type Given = Pick<ClusterOptions, "state" | "nodes" | "evmRpcUrl" | "databaseUrl">;

const outsideOf = ({ nodes, evmRpcUrl, databaseUrl }: Given): readonly string[] => [
  ...(evmRpcUrl === undefined ? [] : [DEVELOPMENT_NETWORK]),
  ...nodes.map(({ network }) => network),
  ...(databaseUrl === undefined ? [] : [OTHER_RECORDS]),
];

/**
 * Notes for the cluster's whole life which nodes of others, and whether another PostgreSQL, it uses. To be called before the start writes
 * anything else: the note of a cluster that an older version started comes from its last start's files.
 * @throws LaunchError where it has snapshots: put back, its signers would have forgotten what they signed for those chains
 */
export const noteOutside = (given: Given): void => {
  const { state } = given;
  const layout = stateLayout(state);
  const outside = outsideOf(given);
  const [snapshot] = outside.length === 0 ? [] : listSnapshots(state);
  if (snapshot !== undefined) {
    throw new LaunchError(
      `${basename(state)} has snapshots, so it does not start with ${outside.join(", ")}: that would not go back with it`,
      `Delete its snapshots first: ${typedAbout("snapshot", state, { DELETE: snapshot.name })}`,
    );
  }
  const noted = [...new Set([...outsideEver(layout), ...outside])];
  mkdirSync(layout.cluster, { recursive: true, mode: OWNER_ONLY });
  writePrivate(noteOf(layout), JSON.stringify(noted));
};
