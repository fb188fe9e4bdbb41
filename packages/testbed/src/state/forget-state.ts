import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { outsidePlace } from "../parts/postgres-user.ts";
import { unfinishedFolders } from "../snapshots/places.ts";
import { stateLayout } from "./layout.ts";

/** Deletes the state of a cluster that does not run, with copies that were interrupted. Its snapshots stay. */
export const forgetState = (state: string): void => {
  const layout = stateLayout(resolve(state));
  rmSync(outsidePlace(join(layout.postgres, "data")), { recursive: true, force: true });
  for (const folder of unfinishedFolders(layout.root)) rmSync(folder, { recursive: true, force: true });
  rmSync(layout.root, { recursive: true, force: true });
};
