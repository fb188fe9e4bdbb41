import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildTransfer, decodeAnyUnsigned, evmTransferSchema } from "@conclave/chains/evm";
import type { CommandOf, NamedSession } from "@conclave/cluster";
import { authorisedTransferSchema } from "@conclave/custody";
import { type Cluster, waitUntil } from "@conclave/testbed";
import { partyIndex } from "@conclave/threshold";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "../integration/funded-wallet.ts";
import { conclave } from "../integration/liars/operators-command.ts";
import { PATIENCE_MS } from "../integration/patience.ts";
import { storeAlarmOf } from "../integration/service-log.ts";
import { SignerAccess } from "../integration/signer-access.ts";
import { storedTransfer } from "../integration/stored-transfer.ts";
import { startCluster, stateFolder } from "../integration/throw-away-cluster.ts";

const START_MS = 180_000;
const TEST_MS = 300_000;
const SESSION_MS = 20_000;
const BACK = "signer-1";
const QUORUM = [1, 3].flatMap((number) => partyIndex(number) ?? []);

const copies = stateFolder();
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ signers: 3, threshold: 2 });
}, START_MS);
afterAll(async () => {
  await cluster?.stop();
  rmSync(copies, { recursive: true, force: true });
}, START_MS);

const copy = (from: string, to: string): void => {
  rmSync(to, { recursive: true, force: true });
  execFileSync("cp", ["-a", from, to]);
};

/** Stops a signer, copies or restores its folder, and starts it again. */
const whileStopped = async (change: (folder: string, kept: string) => void): Promise<void> => {
  await cluster.kill(BACK);
  change(cluster.layout.signer(1), join(copies, BACK));
  await cluster.restart(BACK);
};

const pay = async (walletId: string) => {
  const body = { kind: "Native", to: freshReceiver(), amount: "5000" } as const;
  const asked = await cluster.api.transfer(walletId, body);
  await cluster.api.confirmed(asked, PATIENCE_MS);
  return storedTransfer(cluster, asked.id);
};

/** The command to sign a second transaction, with the next account nonce, for a transfer that has landed. */
const secondOf = ({
  authorisation,
  unsignedTransaction,
}: Awaited<ReturnType<typeof pay>>): CommandOf<"signing"> => {
  if (authorisation === undefined || unsignedTransaction === undefined) expect.fail("it was signed");
  const authorised = authorisedTransferSchema.parse(
    JSON.parse(Buffer.from(authorisation.payload).toString()),
  );
  const decoded = decodeAnyUnsigned(unsignedTransaction);
  if (!decoded.ok) expect.fail(decoded.problem.message);
  const { chainId, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = decoded.value;
  const unsigned = buildTransfer({
    chainId: Number(chainId),
    nonce: nonce + 1n,
    gasLimit,
    fees: { maxFeePerGas, maxPriorityFeePerGas },
    transfer: evmTransferSchema.parse(authorised.transfer),
  });
  return {
    kind: "signing",
    quorum: QUORUM,
    keyId: authorised.keyId,
    authorisation,
    unsigned,
    presignatures: [],
    dead: undefined,
    expiresAtMs: Date.now() + SESSION_MS,
  };
};

/** A signer's final report to a malicious orchestrator. */
const wordOf = (access: SignerAccess, id: string, session: NamedSession, asked: CommandOf<"signing">) =>
  new Promise<string>((resolve) => {
    access.client(id).begin(session, asked, {
      report: (report) => {
        if (report.kind === "refusal") resolve(report.problem.code);
        else if (report.kind !== "progress") resolve(report.kind);
      },
      lost: () => resolve("lost"),
    });
  });

/** The final reports of both signers of such a session. */
const wordsOf = async (asked: CommandOf<"signing">): Promise<readonly string[]> => {
  const access = await SignerAccess.open(cluster);
  const session = await access.freshSession();
  const words = await Promise.all([BACK, "signer-3"].map((each) => wordOf(access, each, session, asked)));
  access.close();
  return words;
};

describe("INV-4 one signer's whole store goes back, and the only other that knows better is away", () => {
  it("signs no second transaction of a request, and after a refresh new requests", {
    timeout: TEST_MS,
  }, async () => {
    const { id } = await makeFundedWallet(cluster);
    await whileStopped(copy);
    await cluster.kill("signer-3");
    const paid = await pay(id);
    await cluster.restart("signer-3");
    await cluster.ready();
    await cluster.kill("signer-2");
    await whileStopped((folder, kept) => copy(kept, folder));
    await waitUntil(async () => storeAlarmOf(cluster.layout, 1), {
      what: `${BACK} says that its store is an old copy`,
      deadlineMs: PATIENCE_MS,
      pollMs: 100,
    });
    const before = await wordsOf(secondOf(paid));
    expect(before[0]).toBe("KeyNotRefreshed");
    await cluster.restart("signer-2");
    await cluster.ready();
    const keysToRefresh = async () => (await cluster.signerStates()).map(({ keysToRefresh: keys }) => keys);
    await expect.poll(keysToRefresh, { timeout: PATIENCE_MS }).toEqual([1, 0, 0]);
    expect((await conclave({}, "refresh", "--state", cluster.layout.root)).code).toBe(0);
    await expect.poll(keysToRefresh, { timeout: PATIENCE_MS }).toEqual([0, 0, 0]);
    const after = await wordsOf(secondOf(paid));
    expect(after[0]).toBe("AuthorisationNotCurrent");
    expect([...before, ...after]).not.toContain("signed");
    await cluster.kill("signer-3");
    // for a minute, by the authority's clock, a request may be older than the restored store
    const lostToMs = Date.now() + 60_000;
    await waitUntil(async () => (Date.now() > lostToMs ? true : undefined), {
      what: "until requests are new ones",
      deadlineMs: TEST_MS,
      pollMs: 500,
    });
    expect((await pay(id)).status).toBe("Confirmed");
  });
});
