import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FAMILIES } from "@conclave/chains";
import { BITCOIN_KEY, BITCOIN_SENDER, BITCOIN_SIGNET, SEPOLIA } from "@conclave/chains/testing";
import {
  type Act,
  keyIdSchema,
  networkSchema,
  organisationIdSchema,
  signatureBodySchema,
  transactionBodySchema,
  transactionIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { afterEach, describe, expect, test } from "vitest";
import { COSTLY_BODIES } from "../fuzz/costly-bodies.ts";
import { bodyReader } from "./body-reader.ts";
import type { ReadableSubject } from "./readable.ts";
import { openReadingThread, type ReadingThread } from "./reading-thread.ts";

/** The thread runs the compiled code. */
const SCRIPT = new URL("../../dist/reading/worker.js", import.meta.url);
const NETWORKS = FAMILIES.networksSchema.parse([
  { ...BITCOIN_SIGNET, bitcoindUrl: "http://127.0.0.1:9" },
  { ...SEPOLIA, family: "Evm", rpcUrl: "http://127.0.0.1:9", confirmations: 1 },
]);
const HERE = bodyReader({
  families: FAMILIES,
  chains: new Map(NETWORKS.map((network) => [network.network, { network }])),
});
const PUBLIC_KEY = Buffer.from(BITCOIN_KEY.publicKey).toString("hex");
const SIGNED = COSTLY_BODIES.filter(({ operation }) => operation === "generateSignature");

const signedBody = (name: string) => {
  const found = SIGNED.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  const network = networkSchema.parse(found.network === "Bitcoin" ? BITCOIN_SIGNET.network : SEPOLIA.network);
  const subject: ReadableSubject = {
    scheme: "ECDSA",
    network,
    publicKey: PUBLIC_KEY,
    internalKey: undefined,
  };
  return { subject, body: signatureBodySchema.parse(found.body({ network, publicKey: PUBLIC_KEY })) };
};

const threads: ReadingThread[] = [];
const open = (script = SCRIPT): ReadingThread => {
  const thread = openReadingThread({ networks: NETWORKS }, script);
  threads.push(thread);
  return thread;
};
afterEach(async () => {
  await Promise.all(threads.splice(0).map(({ stop }) => stop()));
});

describe("the thread that reads bodies", () => {
  test("reads each costly body as the main thread would, and refuses what it refuses", async () => {
    const { reader } = open();
    for (const { name } of SIGNED) {
      const { subject, body } = signedBody(name);
      const here = HERE.signature(subject, body, []);
      expect(here.ok, name).toBe(true);
      expect(await reader.signature(subject, body, []), name).toEqual(here);
      const stranger = { ...subject, network: networkSchema.parse("Polygon") };
      expect(await reader.signature(stranger, body, [])).toEqual(HERE.signature(stranger, body, []));
    }
  });

  test("reads a transaction to send, what it does, and which network it is for", async () => {
    const { reader } = open();
    const { subject, body } = signedBody("a PSBT of 256 coins");
    if (!("psbt" in body)) throw new Error("no PSBT");
    const { psbt } = body;
    const network = networkSchema.parse(BITCOIN_SIGNET.network);
    const wallet = { network, address: BITCOIN_SENDER, publicKey: PUBLIC_KEY };
    const asked = transactionBodySchema.parse({ kind: "Psbt", psbt });
    const content = await reader.transaction(wallet, asked);
    expect(content).toEqual(HERE.transaction(wallet, asked));
    if (!content.ok) throw new Error(content.problem.message);
    const act: Act = {
      version: 2,
      kind: "transaction",
      requestId: freshId(transactionIdSchema, "tx"),
      orgId: freshId(organisationIdSchema, "or"),
      walletId: freshId(walletIdSchema, "wa"),
      keyId: freshId(keyIdSchema, "key"),
      cosigners: [],
      network,
      dateRequested: "2026-01-02T03:04:05.678Z",
      transaction: content.value,
    };
    expect(await reader.act(act)).toEqual(HERE.act(act));
    const named = signatureBodySchema.parse({
      kind: "Transaction",
      blockchainKind: "Evm",
      transaction: "0x01",
    });
    const key = { scheme: subject.scheme, publicKey: PUBLIC_KEY, internalKey: undefined };
    expect(await reader.networkOf(key, named)).toEqual(HERE.networkOf(key, named));
  });

  test("is started again after a body that broke it, and that body alone is not answered", async () => {
    const folder = mkdtempSync(join(tmpdir(), "conclave-reading-"));
    const script = join(folder, "worker.mjs");
    writeFileSync(
      script,
      `import { existsSync, writeFileSync } from "node:fs";
       const broken = ${JSON.stringify(join(folder, "broken"))};
       if (existsSync(broken)) await import(${JSON.stringify(SCRIPT.href)});
       else { writeFileSync(broken, ""); throw new Error("this body broke it"); }`,
    );
    const { reader } = open(pathToFileURL(script));
    const { subject, body } = signedBody("an ordinary message");
    await expect(reader.signature(subject, body, [])).rejects.toThrow(/this body broke it/);
    expect(await reader.signature(subject, body, [])).toEqual(HERE.signature(subject, body, []));
  });

  test("starts before it is asked, and says why where it cannot", async () => {
    await open().begin();
    const folder = mkdtempSync(join(tmpdir(), "conclave-reading-"));
    await expect(open(pathToFileURL(join(folder, "worker.js"))).begin()).rejects.toThrow(
      /^The thread that reads long bodies cannot start from .*worker\.js: ENOENT.*Deploy all files of the gateway's bundle together\.$/,
    );
    const broken = join(folder, "broken.mjs");
    writeFileSync(broken, 'import "./absent.js";');
    await expect(open(pathToFileURL(broken)).begin()).rejects.toThrow(
      /cannot start from .*broken\.mjs: .*absent/,
    );
  });

  test("answers nothing once it is stopped, neither what waits nor what comes", async () => {
    const { reader, stop } = open();
    const { subject, body } = signedBody("a PSBT of 256 coins");
    await reader.signature(subject, body, []);
    const waiting = [1, 2, 3].map(() => reader.signature(subject, body, []));
    const answers = Promise.allSettled(waiting);
    await stop();
    expect((await answers).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect(reader.signature(subject, body, [])).rejects.toThrow("the reader of bodies does not answer");
  });

  test("goes on after a value that cannot be sent to it", async () => {
    const { reader } = open();
    const { subject, body } = signedBody("an ordinary message");
    const unsendable = { ...subject, toString: () => "a function" };
    await expect(reader.signature(unsendable, body, [])).rejects.toThrow(/could not be cloned/);
    expect(await reader.signature(subject, body, [])).toEqual(HERE.signature(subject, body, []));
  });
});
