import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const ROOT = repositoryRoot();
const PACKAGE = join(ROOT, "packages", "threshold");
const TSC = join(ROOT, "node_modules", ".bin", "tsc");

/** Makes a FROST key of three parties and a signature of two, by the package's exported names only. */
const CONSUMER = `\
import { FROST_ED25519, publicKeyOf, startFrostSigning, startKeyGeneration, verifyEd25519 } from "@conclave/threshold";
import { runAmong, testParties, testSessionId } from "@conclave/threshold/testing";

const parties = testParties(3);
const key = { session: testSessionId("key"), parties, threshold: 2, keyId: "key", epoch: 0, scheme: FROST_ED25519 };
const keyOf = runAmong(parties, (self) => startKeyGeneration({ ...key, self }));
const [session, signers, message] = [testSessionId("signing"), parties.slice(1), new TextEncoder().encode("ten lines")];
const signed = runAmong(signers, (self) => startFrostSigning({ session, self, signers, key: keyOf(self), message }));
const valid: boolean[] = signers.map((self) => verifyEd25519(signed(self), message, publicKeyOf(keyOf(self).info)));
console.log(valid.join());
`;

const COMPILER = {
  compilerOptions: { target: "es2023", module: "nodenext", strict: true, types: [], outDir: "out" },
  files: ["consumer.ts"],
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "conclave-published-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Packs a package into the folder. @returns the packed file */
const pack = async (source: string): Promise<string> => {
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--silent", source], { cwd: folder });
  return `./${stdout.trim()}`;
};

describe("the packed library", () => {
  it("is installed offline, type-checks and signs in a folder of its own", async () => {
    const noble = join(PACKAGE, "node_modules", "@noble");
    const sources = [PACKAGE];
    for (const name of (await readdir(noble)).sort()) sources.push(await realpath(join(noble, name)));
    const files: string[] = [];
    for (const source of sources) files.push(await pack(source));
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...files], { cwd: folder });

    await writeFile(join(folder, "consumer.ts"), CONSUMER);
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(COMPILER));
    await run(TSC, ["--project", folder]);
    const { stdout } = await run(process.execPath, ["out/consumer.js"], { cwd: folder });
    expect(stdout).toBe("true,true\n");
  });

  it("has every file that its exports name, its licence, its sources, and no test", async () => {
    const installed = join(folder, "node_modules", "@conclave", "threshold");
    const files = await readdir(installed, { recursive: true });
    const manifest = await readFile(join(installed, "package.json"), "utf8");
    const named = [...manifest.matchAll(/"\.\/((?:src|dist)\/[^"]+)"/g)].map(([, file = ""]) => file);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((file) => !files.includes(file))).toEqual([]);
    expect(files.filter((file) => file.includes(".test."))).toEqual([]);
    expect(await readFile(join(installed, "LICENSE"), "utf8")).toBe(
      await readFile(join(ROOT, "LICENSE"), "utf8"),
    );
  });
});
