import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "@conclave/testbed";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makePackage } from "../../scripts/package/make-package.ts";
import { pack } from "../../scripts/package/pack.ts";

const run = promisify(execFile);

/** All programs that the user has: no make, compiler or pnpm. PostgreSQL is started by root with the help of the last three. */
const PROGRAMS = ["node", "npm", "npx", "nats-server", "sh", "id", "useradd"];
const DAEMONS = ["/usr/sbin", "/usr/local/sbin"];
/** PostgreSQL, if started by root, runs as a separate user, which must be able to read the folder. */
const FOLDER_FOR_ALL = 0o755;
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024;
const SOMEBODY = "0x00000000000000000000000000000000c0ffee00";

let folder: string;
let data: string;
let user: string;

const found = (program: string): string | undefined => {
  if (program === "node") return process.execPath;
  return [dirname(process.execPath), ...(process.env["PATH"] ?? "").split(delimiter), ...DAEMONS]
    .map((place) => join(place, program))
    .find(existsSync);
};

/** Runs a program in the user's folder. @returns its output */
const typed = async (program: string, ...words: readonly string[]): Promise<string> => {
  const { stdout } = await run(join(folder, "bin", program), words, {
    cwd: user,
    maxBuffer: OUTPUT_MAX_BYTES,
    env: { PATH: join(folder, "bin"), HOME: process.env["HOME"], XDG_DATA_HOME: data },
  });
  return stdout;
};

const conclave = (...words: readonly string[]): Promise<string> => typed("npx", "conclave", ...words);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "conclave-installed-"));
  await chmod(folder, FOLDER_FOR_ALL);
  [data, user] = [join(folder, "data"), join(folder, "user")];
  await Promise.all([mkdir(data), mkdir(user), mkdir(join(folder, "bin"))]);
  for (const program of PROGRAMS) {
    const file = found(program);
    if (file !== undefined) await symlink(file, join(folder, "bin", program));
  }
  await makePackage(repositoryRoot(), join(folder, "package"));
  const { filename } = await pack(join(folder, "package"), folder);
  await writeFile(join(user, "package.json"), "{}\n");
  await typed("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", join(folder, filename));
});
afterAll(async () => {
  if (existsSync(join(data, "conclave", "local"))) await conclave("reset", "--yes");
  await rm(folder, { recursive: true, force: true });
});

it("`npx conclave up` in an empty folder sends a transfer, and `down` and `reset` leave nothing", async () => {
  const banner = await conclave(
    ...["up", "--detach", "--signers", "2", "--threshold", "2", "--networks", "Solana"],
  );
  expect(banner).toContain("any 2 of 2 signers");
  expect(banner).toContain("It runs in the background; `npx conclave down` stops it");
  expect(banner).toContain(join(data, "conclave", "local"));

  const page: unknown = await (await fetch(`${/http:\S+\/docs/.exec(banner)?.[0]}/guides/policies`)).text();
  expect(page).toContain("Policies");
  await conclave("wallet", "create", "--network", "EthereumSepolia", "--wallet-name", "till");
  await conclave("fund", "till", "--amount", "2");
  const paid = await conclave("transfer", "--from", "till", "--to", SOMEBODY, "--amount", "0.5");
  expect(paid).toContain("Confirmed");

  // the ledger's native library
  await conclave("wallet", "create", "--network", "Solana", "--wallet-name", "sun");
  await conclave("fund", "sun", "--amount", "2");
  expect(await conclave("wallet", "show", "sun")).toContain("2");

  expect(await conclave("status")).toContain("signer-2");
  await conclave("down");
  await expect(conclave("status")).rejects.toMatchObject({ code: 3 });
  await conclave("reset", "--yes");
  expect(await readdir(join(data, "conclave"))).toEqual([]);
  expect(existsSync(join(user, "node_modules", "conclave", ".conclave"))).toBe(false);
});
