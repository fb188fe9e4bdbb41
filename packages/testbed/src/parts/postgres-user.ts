import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { LaunchError } from "../launch-error.ts";

/**
 * PostgreSQL refuses to run as root. If root starts the cluster, PostgreSQL runs as this user, which is created if
 * missing.
 */
const USER = "postgres";
const OTHERS_MAY_ENTER = 0o001;
const REACHABLE_FOLDER = "/var/tmp";

export interface PostgresHome {
  /** folder with bin, lib and share */
  readonly programs: string;
  /** folder of the database */
  readonly data: string;
  /** the user to run as; absent if the cluster is not started by root */
  readonly user?: { readonly uid: number; readonly gid: number };
}

const numericId = (flag: "-u" | "-g"): number | undefined => {
  try {
    return Number(
      execFileSync("id", [flag, USER], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    );
  } catch {
    return undefined;
  }
};

const findUser = (): { uid: number; gid: number } | undefined => {
  const uid = numericId("-u");
  const gid = numericId("-g");
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
};

const makeUser = (): { uid: number; gid: number } => {
  try {
    execFileSync("useradd", ["--system", "--user-group", "--no-create-home", USER], { stdio: "pipe" });
  } catch (cause) {
    throw new LaunchError(
      `PostgreSQL does not run as root, and the user "${USER}" could not be made: ${cause}`,
      `Run as another user, make the user "${USER}", or set DATABASE_URL.`,
    );
  }
  const user = findUser();
  if (user === undefined) throw new Error(`useradd made no user ${USER}`);
  return user;
};

const othersMayReach = (folder: string): boolean =>
  (statSync(folder).mode & OTHERS_MAY_ENTER) !== 0 && (folder === "/" || othersMayReach(dirname(folder)));

/** The folder outside the state, which depends only on the path of the state folder. */
const reachablePlace = (state: string): string =>
  join(REACHABLE_FOLDER, `conclave-${createHash("sha256").update(state).digest("hex").slice(0, 16)}`);

/**
 * Determines the folders of PostgreSQL's programs and data, and the user that runs it. If the state is below a folder
 * that only root may enter (such as /root), the user "postgres" cannot reach them; then both are in a folder of that user
 * in /var/tmp.
 */
export const postgresHome = (programs: string, data: string): PostgresHome => {
  if (process.getuid?.() !== 0) return { programs, data };
  const user = findUser() ?? makeUser();
  if (othersMayReach(dirname(data)) && othersMayReach(programs)) return { programs, data, user };
  const place = reachablePlace(data);
  mkdirSync(place, { recursive: true, mode: 0o755 });
  const copy = join(place, "programs");
  if (!existsSync(join(copy, "bin", "postgres")))
    cpSync(programs, copy, { recursive: true, verbatimSymlinks: true });
  return { programs: copy, data: join(place, "data"), user };
};

/** The folder outside the state that `postgresHome` may have used; `reset` removes it. */
export const outsidePlace = (data: string): string => reachablePlace(data);
