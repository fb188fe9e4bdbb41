import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AUXILIARY_SUBJECT, readCertificate } from "@conclave/cluster";
import { loadRoster, membersOf } from "@conclave/platform";
import { repositoryRoot, waitUntil } from "@conclave/testbed";
import { ENVELOPE_KIND } from "@conclave/threshold";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { copyEvidence, evidenceIn, withOtherByte } from "../integration/liars/evidence-copies.ts";
import { PATIENCE_MS } from "../integration/patience.ts";
import { SignerAccess } from "../integration/signer-access.ts";
import { LyingProcess } from "./lying-process.ts";
import { OperatedCluster } from "./operated-cluster.ts";

const CHEAT = 3;
const CHEAT_ID = `signer-${CHEAT}`;
const OTHERS = [1, 2, 4, 5, 6];
/** Evidence of another cluster, which verifies with that cluster's roster. */
const FOREIGN = join(repositoryRoot(), "test/vectors/conclave-evidence.json");

const faultsSchema = z.array(
  z.object({ id: z.int(), signer: z.string(), protocol: z.string().optional(), proof: z.string() }),
);

let operated: OperatedCluster;
let cheat: LyingProcess;
/** path of the evidence that `conclave faults export` wrote */
let file: string;

beforeAll(async () => {
  operated = await OperatedCluster.start({ links: "proxied" });
  cheat = await LyingProcess.start(operated.cluster, CHEAT);
  await operated.cluster.ready();
  file = join(operated.cluster.layout.root, "evidence.json");
});
afterAll(async () => {
  await operated?.stop();
  await cheat?.close();
});

/** A proven fault of the cheat, in the operator's list. */
const provenFault = async () => {
  const { out } = await operated.conclave("faults", "--json");
  const faults = faultsSchema.parse(JSON.parse(out));
  expect(faults.filter(({ signer, proof }) => proof === "proven" && signer !== CHEAT_ID)).toEqual([]);
  return faults.find(({ proof }) => proof === "proven");
};

const verifyEvidence = () =>
  operated.conclave("verify-evidence", file, "--roster", operated.cluster.layout.roster);

/** Everything that a roster change may change: the cluster's files and processes. */
const standing = () => {
  const { cluster } = operated;
  const { root, roster, ca, description } = cluster.layout;
  return {
    files: [roster, ca, description].map((path) => readFileSync(path, "utf8")),
    folders: readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
    processes: cluster.status(),
  };
};

/**
 * Asks every signer but the cheat for its certificates of the wallet's key and of the auxiliary information; gives the holders
 * that each certificate lists.
 */
const certifiers = async () => {
  const { cluster, wallet } = operated;
  const members = membersOf(await loadRoster(cluster.layout.roster));
  const signers = await SignerAccess.open(cluster);
  const asked = OTHERS.flatMap((index) =>
    [wallet.signingKey.id, AUXILIARY_SUBJECT].map(async (subject) => {
      const said = await signers.client(`signer-${index}`).getCertificate(subject);
      if (!said.ok || said.value === undefined) throw new Error(`signer-${index} has no certificate`);
      return readCertificate(members, said.value)?.holders;
    }),
  );
  try {
    return await Promise.all(asked);
  } finally {
    signers.close();
  }
};

describe("a signer process that changes what its proofs say", () => {
  it("INV-7 is convicted while each transfer is paid: the operator lists the fault, exports its evidence and verifies it", async () => {
    cheat.lie((envelope, sign) => {
      const { kind, payload } = envelope;
      return kind === ENVELOPE_KIND.direct
        ? sign(payload.with(payload.length - 1, (payload.at(-1) ?? 0) ^ 1))
        : envelope;
    });
    const fault = await waitUntil(
      async () => {
        await operated.pay();
        return provenFault();
      },
      { what: "the cheat to be convicted", deadlineMs: PATIENCE_MS },
    );
    expect(fault).toMatchObject({ signer: CHEAT_ID });
    expect((await operated.conclave("faults", "export", String(fault.id), file)).code).toBe(0);
    const said = await verifyEvidence();
    expect(said).toMatchObject({
      code: 0,
      out: expect.stringContaining(`proven: ${CHEAT_ID} deviated from the protocol`),
    });
  });

  it("keeps the others from every refresh, and from no signature", async () => {
    expect((await operated.conclave("refresh")).code).toBe(1);
    await operated.pay();
  });

  it.each<[string, string, (copy: string) => void, RegExp]>([
    [
      "against another signer",
      "signer-1",
      (copy) => copyEvidence(file, copy, {}),
      /convicts signer-3, not signer-1/,
    ],
    [
      "with one byte changed",
      CHEAT_ID,
      (copy) => copyEvidence(file, copy, { evidence: withOtherByte(evidenceIn(file).evidence) }),
      /proves nothing|is no evidence/,
    ],
    [
      "of another cluster",
      "signer-1",
      (copy) => copyEvidence(FOREIGN, copy, {}),
      /is of the cluster conclave-vectors/,
    ],
    [
      "of another cluster under this one's name",
      "signer-1",
      (copy) => copyEvidence(FOREIGN, copy, { clusterId: operated.cluster.description.clusterId }),
      /proves nothing/,
    ],
  ])("is not put out, nor is anybody, by evidence %s: nothing changes", async (_, id, write, why) => {
    const before = standing();
    const copy = join(operated.cluster.layout.root, "copy.json");
    write(copy);
    const said = await operated.conclave(
      "roster",
      "change",
      ...["--cheated", id, "--evidence", copy, "--add", "1"],
    );
    expect(said).toMatchObject({ code: 1, out: expect.stringMatching(why) });
    expect(standing()).toEqual(before);
  });

  it("INV-5 is put out by its evidence while transfers are paid: keys and auxiliary information need no receipt of it", async () => {
    const during = operated.paying();
    const said = await operated.change("--cheated", CHEAT_ID, "--evidence", file, "--add", "1");
    expect(await during.end()).toBeGreaterThan(0);
    expect(said).toMatch(/signer-3 is in the roster no more; stopped\n(.*\n)*.*: moved, epoch \d+\n/);
    await operated.expectHolders(...OTHERS);
    expect(new Set((await certifiers()).map(String))).toEqual(new Set([String(OTHERS)]));
    await operated.pay();
  });

  it("is missed by nobody afterwards: keys are made and refreshed, auxiliary information is renewed", async () => {
    expect((await operated.makeWallet("without it")).address).toMatch(/^0x/);
    const said = await operated.conclave("refresh");
    expect(said).toMatchObject({
      code: 0,
      out: expect.stringMatching(/auxiliary information: epoch \d+\ndone: 2 keys refreshed\n$/),
    });
    expect(new Set((await certifiers()).map(String))).toEqual(new Set([String(OTHERS)]));
    await operated.pay();
  });

  it("stays convicted: today's roster names the evidence, and the file verifies with it", async () => {
    const digest = createHash("sha256").update(evidenceIn(file).evidence).digest("hex");
    expect((await operated.conclave("roster", "show")).out).toContain(
      `${CHEAT_ID} cheated, evidence SHA-256 ${digest}`,
    );
    const said = await verifyEvidence();
    expect(said.code).toBe(0);
    expect(said.out).toMatch(/^proven: signer-3 deviated.*\n(.*\n)*.*it was put out for this evidence\n/);
    expect(await provenFault()).toMatchObject({ signer: CHEAT_ID });
  });
});
