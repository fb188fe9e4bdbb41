import { existsSync } from "node:fs";
import { basename } from "node:path";
import {
  deleteSnapshot,
  listSnapshots,
  requireRestorable,
  restoreSnapshot,
  stateLayout,
  takeSnapshot,
  typedAbout,
  typedByName,
} from "@conclave/testbed/launch";
import { printList } from "../../client/print.ts";
import { UsageError } from "../../failure/usage-error.ts";
import { isAgreed } from "../reset.ts";

const MEGABYTE = 1_000_000;

const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

/** Exactly one of the first three. */
interface SnapshotWish {
  readonly take: string | undefined;
  readonly list: boolean;
  readonly deleted: string | undefined;
  readonly json: boolean;
}

/** `conclave snapshot`: takes, lists or deletes snapshots of the cluster in a state folder. */
export const snapshots = async (state: string, wish: SnapshotWish): Promise<void> => {
  const given = [wish.take, wish.list ? "" : undefined, wish.deleted].filter((one) => one !== undefined);
  if (given.length !== 1) throw new UsageError("snapshot takes a name, --list or --delete, one of them");
  if (wish.json && !wish.list) throw new UsageError("--json is for --list");
  const cluster = basename(state);
  if (wish.take !== undefined) {
    const bytes = await takeSnapshot(state, wish.take);
    const restores = typedAbout("restore", state, { SNAPSHOT: wish.take });
    process.stderr.write(
      `the snapshot ${wish.take} of ${cluster} is taken, ${megabytes(bytes)}; \`${restores}\` puts it back\n`,
    );
    return;
  }
  if (wish.deleted !== undefined) {
    deleteSnapshot(state, wish.deleted);
    process.stderr.write(`the snapshot ${wish.deleted} of ${cluster} is deleted\n`);
    return;
  }
  printList(
    { json: wish.json },
    listSnapshots(state),
    ["snapshot", "taken", "size", "by version"],
    ({ name, takenAt, bytes, version }) => [name, takenAt, megabytes(bytes), version ?? ""],
    `no snapshot yet: \`${typedAbout("snapshot", state, { SNAPSHOT: "first" })}\` takes one of the stopped cluster`,
  );
};

/**
 * `conclave restore`: puts a snapshot in place of the state of a stopped cluster, which is forgotten.
 * @param isSaid whether the caller asks for that already
 */
export const restore = async (state: string, name: string, isSaid: boolean): Promise<void> => {
  requireRestorable(state, name);
  const cluster = basename(state);
  const says = typedAbout("restore", state, { SNAPSHOT: name, YES: "1" });
  const isAsked = !isSaid && existsSync(stateLayout(state).roster);
  if (isAsked && !(await isAgreed(cluster, { input: process.stdin, output: process.stderr }, says))) {
    process.stderr.write("nothing is restored\n");
    return;
  }
  await restoreSnapshot(state, name);
  const starts = typedByName("up", state);
  const hint = starts === undefined ? "" : `: \`${starts}\` starts it`;
  process.stderr.write(`${cluster} is as in the snapshot ${name}${hint}\n`);
};
