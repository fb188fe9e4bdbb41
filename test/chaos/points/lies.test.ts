import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { organisationIdSchema } from "@conclave/custody";
import {
  activateKeyImport,
  type Database,
  listFaults,
  loadRoster,
  type StoredFault,
  signersListing,
} from "@conclave/platform";
import { type ApiWallet, type Cluster, type RawAnswer, repositoryRoot, waitUntil } from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { randomScalar, shardKey } from "../../../examples/key-client.ts";
import { freshReceiver, makeFundedWallet } from "../../integration/funded-wallet.ts";
import { asGateway } from "../../integration/second-organisation.ts";
import { credentialOf, sendSigned } from "../../integration/signed-request.ts";
import { startCluster } from "../../integration/throw-away-cluster.ts";
import { FaultyProcess } from "./faulty-process.ts";

const CONFIRMED_MS = 120_000;
const COMMAND_MS = 120_000;
const OK = 200;
/** A dealer in every protocol; the three others are a quorum without it. */
const LIAR = 1;

let cluster: Cluster;
let database: Database;
let wallet: ApiWallet;
let liar: FaultyProcess;

beforeAll(async () => {
  cluster = await startCluster({ signers: 4, threshold: 3, faults: true, keyImport: "allowed" });
  liar = new FaultyProcess(cluster, `signer-${LIAR}`);
  database = asGateway(cluster);
  await activateKeyImport(database, organisationIdSchema.parse(cluster.description.developer.orgId), true);
  wallet = await makeFundedWallet(cluster);
});
afterAll(async () => {
  await database?.close();
  await cluster?.stop();
});

const failureSchema = z.object({ stdout: z.string(), stderr: z.string() });

interface Said {
  readonly isDone: boolean;
  readonly said: string;
}

/** On a busy machine a command may find a signer late and begin nothing; an operator then repeats it. */
const COMMANDS_MAX = 5;
const BEGAN_NOTHING = /to answer|Start it and try again/;

/** Runs an operator's command. @returns its success and its output */
const conclave = async (...words: readonly string[]): Promise<Said> => {
  for (let typed = 1; ; typed += 1) {
    const answer = await conclaveOnce(words);
    if (answer.isDone || typed === COMMANDS_MAX || !BEGAN_NOTHING.test(answer.said)) return answer;
  }
};

const conclaveOnce = async (words: readonly string[]): Promise<Said> => {
  const main = join(repositoryRoot(), "packages/cli/dist/main.js");
  try {
    const args = [main, ...words, "--state", cluster.layout.root];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: COMMAND_MS });
    return { isDone: true, said: stdout };
  } catch (cause) {
    const { stdout, stderr } = failureSchema.parse(cause);
    return { isDone: false, said: stdout + stderr };
  }
};

/** INV-5: the others still sign, whatever the liar says. */
const expectTransfer = async (): Promise<void> => {
  const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to: freshReceiver(), amount: "7" });
  await cluster.api.confirmed(asked, CONFIRMED_MS);
};

/** The liar's faults on record. INV-7: nobody else is on record. */
const onRecord = async (): Promise<readonly StoredFault[]> => {
  const faults = await listFaults(database, (fault) => fault);
  expect(faults.filter(({ culprit }) => culprit !== LIAR)).toEqual([]);
  return faults;
};

const makeKey = (): Promise<RawAnswer> =>
  cluster.api.send("POST", "/keys", { scheme: "ECDSA", curve: "secp256k1" });

const importKey = async (): Promise<RawAnswer> => {
  const { id, keyFile } = cluster.description.developer.credential;
  const [listing] = signersListing(await loadRoster(cluster.layout.roster)).clusters;
  const body = shardKey(randomScalar(), listing?.signers ?? []);
  return sendSigned(cluster.api, credentialOf(id, readFileSync(keyFile, "utf8")), "/keys/import", body);
};

/**
 * Runs an act while the signer lies, and then a transfer if `goesOn`. @returns the checks that put the liar on record meanwhile
 */
const lying = async <Done>(
  message: string,
  act: () => Promise<Done>,
  goesOn = true,
): Promise<{ readonly done: Done; readonly checks: readonly string[] }> => {
  const known = new Set((await onRecord()).map(({ id }) => id));
  liar.order({ lies: [message] });
  try {
    const done = await act();
    if (goesOn) await expectTransfer();
    const caught = (await onRecord()).filter(({ id }) => !known.has(id));
    return { done, checks: [...new Set(caught.map(({ checkName }) => checkName))] };
  } finally {
    liar.order({});
  }
};

/**
 * Two kinds of lies name nobody. Only the receiver of a share can tell that its seal does not open. And a liar that changed its
 * commitment learns from the echoes that the others received something else: it falls silent, and the session ends without a
 * proof.
 */
const isProven = (message: string): boolean => !/share$|commitment$/.test(message);

/** @param why the log of the meantime, shown when the test fails */
const expectNamed = (message: string, checks: readonly string[], why = ""): void => {
  const [protocol = ""] = message.split("/");
  if (isProven(message)) expect(checks, why).toEqual([expect.stringMatching(new RegExp(`^${protocol}/`))]);
  else expect(checks).toEqual([]);
};

describe("INV-7 a signer that lies in making a key", () => {
  it.each([
    "keygen/1.commitment",
    "keygen/2.rid",
    "keygen/2.share",
    "keygen/3.schnorr",
    "keygen/4.confirmation",
  ])("%s", async (message) => {
    const { done, checks } = await lying(message, makeKey);
    expect(done.status, JSON.stringify(done.body)).not.toBe(OK);
    expectNamed(message, checks);
    expect(await makeKey()).toMatchObject({ status: OK });
  });
});

describe("INV-7 a signer that lies in taking a key that a client brings", () => {
  it.each([
    "import/1.proof.response",
    "import/2.commitment",
    "import/3.mask",
    "import/3.share",
    "import/4.response",
    "import/5.confirmation",
  ])("%s", async (message) => {
    const { done, checks } = await lying(message, importKey);
    expect(done.status, JSON.stringify(done.body)).not.toBe(OK);
    expectNamed(message, checks);
    expect(await importKey()).toMatchObject({ status: OK });
  });

  it("import/1.agreed.terms changes an entry whose author nobody can prove: the import is refused", async () => {
    const { done, checks } = await lying("import/1.agreed.terms", importKey);
    expect(done.status).toBeGreaterThanOrEqual(400);
    expect(checks).toEqual([]);
  });
});

describe("INV-7 a signer that lies in a refresh", () => {
  it.each([
    "refresh/1.commitment",
    "refresh/2.coefficients",
    "refresh/2.share",
    "refresh/3.response",
    "refresh/4.confirmation",
    "aux/1.commitment",
    "aux/2.n",
    "aux/3.w",
    "aux/3.z1",
  ])("%s", async (message) => {
    const { done, checks } = await lying(message, () => conclave("refresh", "--key", wallet.signingKey.id));
    expect(done).toMatchObject({ isDone: false });
    expectNamed(message, checks, done.said);
    if (isProven(message)) expect(done.said).toContain(`signer-${LIAR}`);
    const again = await conclave("refresh", "--key", wallet.signingKey.id);
    expect(again.isDone, again.said).toBe(true);
    await expectTransfer();
  });
});

describe("INV-7 a signer that lies while another is given its keys again", () => {
  it.each([
    "reshare/1.commitment",
    "reshare/2.coefficients",
    "reshare/2.share",
    "reshare/3.response",
    "reshare/4.confirmation",
  ])("%s", async (message) => {
    await cluster.kill("signer-4");
    rmSync(join(cluster.layout.signer(4), "vault"), { recursive: true });
    await cluster.restart("signer-4");
    // without signer-4's share the only quorum includes the liar, whom the others avoid
    const { done, checks } = await lying(message, () => conclave("reprovision", "signer-4"), false);
    expect(done).toMatchObject({ isDone: false });
    expectNamed(message, checks, done.said);
    const again = await conclave("reprovision", "signer-4");
    expect(again.isDone, again.said).toBe(true);
    await waitUntil(
      async () => ((await cluster.signerStates()).every(({ state }) => state === "ready") ? true : undefined),
      {
        what: "all signers",
        deadlineMs: CONFIRMED_MS,
      },
    );
    await expectTransfer();
  });
});
