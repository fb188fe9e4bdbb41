import { createPublicKey, randomBytes, verify } from "node:crypto";
import { rm } from "node:fs/promises";
import { attachSignatures, buildTransfer, evmTransferSchema } from "@conclave/chains/evm";
import {
  AUXILIARY_SUBJECT,
  type Command,
  certify,
  MESSAGE_SESSION_MS_MAX,
  type NamedSession,
} from "@conclave/cluster";
import {
  type AuthorisedKey,
  type AuthorisedTransfer,
  attestationBytes,
  ok,
  readStatement,
} from "@conclave/custody";
import { livesOf } from "@conclave/platform/coordination";
import { heldKey, SignerClient, type StreamReport } from "@conclave/platform/grpc";
import { makeLogger } from "@conclave/platform/logger";
import type { PartyIndex } from "@conclave/threshold";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { RunningSigner } from "./signer.ts";
import {
  ed25519KeyRequest,
  keyRequest,
  messageRequest,
  NETWORK,
  party,
  provision,
  settingsOf,
  startMember,
  type TestCluster,
  transferRequest,
} from "./testing/cluster.ts";

const TOTAL = 3;
const THRESHOLD = 2;
const SESSION_MS = 60_000;
const ALL = [party(1), party(2), party(3)];

let cluster: TestCluster;
const signers = new Map<number, RunningSigner>();
const clients = new Map<number, SignerClient>();
let key: AuthorisedKey;
let publicKey: Uint8Array;
const lines: unknown[] = [];
const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };

beforeAll(async () => {
  cluster = await provision(TOTAL, THRESHOLD);
  const tls = await cluster.member({ kind: "orchestrator" });
  for (const index of ALL) {
    const log = makeLogger({ name: `signer-${index}`, level: "info", destination });
    signers.set(index, await startMember(cluster, index, log));
    clients.set(index, new SignerClient({ index, address: cluster.addresses[index - 1] ?? "" }, tls));
  }
  for (const index of ALL) await serving(index);
});

/** Waits until a signer's peers have confirmed its store. */
const serving = (index: number): Promise<void> =>
  vi.waitFor(() => expect(signers.get(index)?.status().state).toBe("ready"), { timeout: 10_000 });

afterAll(async () => {
  for (const client of clients.values()) client.close();
  for (const signer of signers.values()) await signer.stop();
  await rm(cluster.folder, { recursive: true });
});

const client = (index: number): SignerClient => {
  const known = clients.get(index);
  if (known === undefined) throw new Error("no such signer");
  return known;
};

const namedSession = async (parties: readonly PartyIndex[]): Promise<NamedSession> => {
  const lives = await livesOf(parties.map(client));
  return { session: new Uint8Array(randomBytes(32)), lives };
};

/** Begins one session with each of the parties, and waits for every last word. */
const run = async (parties: readonly PartyIndex[], request: Command): Promise<readonly StreamReport[]> => {
  const session = await namedSession(parties);
  return Promise.all(
    parties.map(
      (index) =>
        new Promise<StreamReport>((resolve, reject) => {
          client(index).begin(session, request, {
            report: (report) => {
              if (report.kind !== "progress") resolve(report);
            },
            lost: (reason) => reject(new Error(reason)),
          });
        }),
    ),
  );
};

const expiresAtMs = (): number => Date.now() + SESSION_MS;

const unsigned = (transfer: AuthorisedTransfer, nonce: bigint): Uint8Array =>
  buildTransfer({
    chainId: NETWORK.chainId,
    nonce,
    fees: { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
    gasLimit: 21_000n,
    transfer: evmTransferSchema.parse(transfer.transfer),
  });

const signing = (transfer: AuthorisedTransfer, quorum: readonly PartyIndex[], nonce = 0n): Command => ({
  kind: "signing",
  quorum,
  keyId: transfer.keyId,
  authorisation: cluster.authorise(transfer),
  unsigned: unsigned(transfer, nonce),
  presignatures: [],
  dead: undefined,
  expiresAtMs: expiresAtMs(),
});

describe("three signers over mutual TLS", () => {
  test("connect to each other", async () => {
    await expect.poll(() => signers.get(1)?.status().connectedPeers, { timeout: 10_000 }).toEqual([2, 3]);
  });

  test("refuse to sign before there is a key", async () => {
    const transfer = transferRequest(keyRequest(THRESHOLD));
    const [report] = await run([party(1)], signing(transfer, [party(1), party(2)]));
    expect(report).toMatchObject({ kind: "refusal", problem: { code: "KeyUnknown" } });
    const { keyId, requestId } = transfer;
    const session = expect.stringMatching(/^[0-9a-f]{64}$/);
    const refused = { event: "command-refused", code: "KeyUnknown", session, keyId, requestId };
    expect(lines).toContainEqual(expect.objectContaining({ name: "signer-1", ...refused }));
  });

  test("make the same auxiliary information", async () => {
    const reports = await run(ALL, { kind: "auxiliary", epoch: 1, expiresAtMs: expiresAtMs() });
    expect(reports.map(({ kind }) => kind)).toEqual(["auxiliary", "auxiliary", "auxiliary"]);
    const receipts = new Map<PartyIndex, Uint8Array>();
    const digests = new Set<string>();
    for (const [at, report] of reports.entries()) {
      const index = ALL[at];
      if (report.kind !== "auxiliary" || index === undefined) continue;
      receipts.set(index, report.receipt);
      digests.add(Buffer.from(report.digest).toString("hex"));
    }
    expect([receipts.size, digests.size]).toEqual([ALL.length, 1]);
    const statuses = await Promise.all(ALL.map((index) => client(index).getStatus()));
    const [first] = statuses;
    const [pending] = first?.ok === true ? first.value.pendingAuxiliary : [];
    if (pending === undefined) throw new Error("the epoch is pending");
    const { from, epoch: to, digest } = pending;
    const session = new Uint8Array(Buffer.from(pending.session, "hex"));
    const { roster } = (await settingsOf(cluster, party(1))).machine;
    const certificate = certify(roster, { subject: AUXILIARY_SUBJECT, from, to, digest, session }, receipts);
    if (certificate === undefined) throw new Error("all gave their receipts");
    const switched = await Promise.all(ALL.map((index) => client(index).switchEpoch(certificate)));
    expect(switched).toEqual(ALL.map(() => ok({ epoch: 1, isWaiting: false })));
    const shown = await client(party(1)).getCertificate(AUXILIARY_SUBJECT);
    expect(shown.ok && shown.value !== undefined && new Uint8Array(shown.value)).toEqual(certificate);
    const forged = await client(party(1)).switchEpoch(certificate.with(-1, (certificate.at(-1) ?? 0) ^ 1));
    expect(forged).toMatchObject({ ok: false, problem: { code: "EpochCertificateInvalid" } });
  });

  test("make one key, pending until it is activated", async () => {
    key = keyRequest(THRESHOLD);
    const authorisation = cluster.authorise(key);
    const reports = await run(ALL, { kind: "key-generation", authorisation, expiresAtMs: expiresAtMs() });
    const keys = reports.map((report) =>
      report.kind === "key" ? Buffer.from(report.publicKey).toString("hex") : "",
    );
    expect(new Set(keys).size).toBe(1);
    publicKey = new Uint8Array(Buffer.from(keys[0] ?? "", "hex"));
    const [refused] = await run([party(1)], signing(transferRequest(key), [party(1), party(2)]));
    expect(refused).toMatchObject({ kind: "refusal", problem: { code: "KeyUnknown" } });
    const states = await Promise.all(ALL.map((index) => client(index).activateKey(key.keyId)));
    expect(states).toEqual(Array(TOTAL).fill({ ok: true, value: { state: "active", epoch: 1 } }));
  });

  test("sign what an active key is, each with the identity that the roster pins, and nothing of one that is none", async () => {
    const hex = Buffer.from(publicKey).toString("hex");
    const said = attestationBytes({ keyId: key.keyId, scheme: "ECDSA", publicKey: hex });
    for (const index of ALL) {
      const identity =
        (await settingsOf(cluster, index)).machine.roster.get(index)?.identity ?? new Uint8Array();
      const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(identity).toString("base64url") };
      const attested = await client(index).attestKey(key.keyId);
      if (!attested.ok) throw new Error(attested.problem.message);
      const identityKey = createPublicKey({ key: jwk, format: "jwk" });
      expect(verify(null, said, identityKey, attested.value.signature)).toBe(true);
      const { stated = expect.fail("it states what the key is") } = attested.value;
      expect(verify(null, stated.statement, identityKey, stated.signature)).toBe(true);
      const { keyId, orgId, dateRequested: date } = key;
      expect(readStatement(stated.statement)).toEqual({
        ...{
          cluster: (await settingsOf(cluster, index)).machine.clusterId,
          signer: index,
          orgId,
          keyId,
          origin: "generated",
        },
        ...{ threshold: THRESHOLD, total: TOTAL, scheme: "ECDSA", publicKey: hex, date },
      });
    }
    const pending = keyRequest(THRESHOLD);
    await run(ALL, {
      kind: "key-generation",
      authorisation: cluster.authorise(pending),
      expiresAtMs: expiresAtMs(),
    });
    const unknown = { ok: false, problem: { code: "KeyUnknown" } };
    for (const keyId of [pending.keyId, "key-aaaaa-bbbbb-0000000000000001", "", "\u0000"])
      expect(await client(1).attestKey(keyId)).toMatchObject(unknown);
    await Promise.all(ALL.map((index) => client(index).discardKey(pending.keyId)));
  });

  test("refuse to discard an active key, by name", async () => {
    expect(await client(2).discardKey(key.keyId)).toMatchObject({
      ok: false,
      problem: { code: "KeyExists" },
    });
  });

  test("make an Ed25519 key and sign a message, and OpenSSL accepts the signature", async () => {
    const edwards = ed25519KeyRequest(THRESHOLD);
    const authorisation = cluster.authorise(edwards);
    await run(ALL, { kind: "key-generation", authorisation, expiresAtMs: expiresAtMs() });
    await Promise.all(ALL.map((index) => client(index).activateKey(edwards.keyId)));
    const quorum = [party(1), party(2)];
    const message = Buffer.from("pay Bob one token");
    const [report] = await run(quorum, {
      kind: "signing",
      quorum,
      keyId: edwards.keyId,
      authorisation: cluster.authorise(messageRequest(edwards, message)),
      unsigned: new Uint8Array(0),
      presignatures: [],
      dead: undefined,
      expiresAtMs: Date.now() + MESSAGE_SESSION_MS_MAX - 100,
    });
    const [signature] = report?.kind === "signed" ? report.signatures : [];
    if (signature?.scheme !== "FROST-Ed25519") throw new Error(`not signed: ${report?.kind}`);
    const held = await heldKey(client(1), edwards.keyId);
    const x = Buffer.from(held.ok ? held.value.publicKey : []).toString("base64url");
    const openssl = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    expect(verify(null, message, openssl, signature.bytes)).toBe(true);
  });

  test("sign a transaction whose signature recovers to the wallet's address", async () => {
    const transfer = transferRequest(key);
    const reports = await run([party(1), party(3)], signing(transfer, [party(1), party(3)]));
    const [first] = reports;
    if (first?.kind !== "signed") throw new Error(`not signed: ${first?.kind}`);
    const signed = attachSignatures(unsigned(transfer, 0n), first.signatures, [publicKey]);
    expect(signed.ok).toBe(true);
  });

  test("refuse a transaction that does something else than was authorised (INV-3)", async () => {
    const transfer = transferRequest(key);
    const other = { ...transfer, transfer: { ...transfer.transfer, amount: "2" } };
    const request = { ...signing(transfer, [party(1), party(2)]), unsigned: unsigned(other, 0n) };
    const reports = await run([party(1), party(2)], request);
    expect(reports).toMatchObject(
      Array(2).fill({ kind: "refusal", problem: { code: "TransactionMismatch" } }),
    );
  });

  test("refuse a second account nonce for one request, also after a restart (INV-4)", async () => {
    const transfer = transferRequest(key);
    const quorum = [party(2), party(3)];
    const reports = await run(quorum, signing(transfer, quorum, 7n));
    expect(reports.map(({ kind }) => kind)).toEqual(["signed", "signed"]);
    await signers.get(2)?.stop();
    signers.set(2, await startMember(cluster, 2));
    await serving(2);
    const [again] = await run([party(2)], signing(transfer, quorum, 8n));
    expect(again).toMatchObject({ kind: "refusal", problem: { code: "TransactionNotExcluding" } });
  });

  test("sign with a signer that was restarted", async () => {
    const quorum = [party(1), party(2)];
    const reports = await run(quorum, signing(transferRequest(key), quorum));
    expect(reports.map(({ kind }) => kind)).toEqual(["signed", "signed"]);
  });

  test("end a session with a failure that names nobody when a signer stops", async () => {
    const session = await namedSession([party(1), party(3)]);
    const heard = new Promise<StreamReport>((resolve, reject) => {
      client(3).begin(session, signing(transferRequest(key), [party(1), party(3)]), {
        report: (report) => {
          if (report.kind !== "progress") resolve(report);
        },
        lost: (reason) => reject(new Error(reason)),
      });
    });
    await expect.poll(() => signers.get(3)?.status().sessions.length, { timeout: 10_000 }).toBe(1);
    await signers.get(3)?.stop();
    expect(await heard).toEqual({ kind: "failure", reason: "the signer stops", silent: [] });
    signers.set(3, await startMember(cluster, 3));
    await serving(3);
  });

  test("abort a session whose caller went away", async () => {
    const session = await namedSession([party(1), party(3)]);
    const ignore = { report: () => undefined, lost: () => undefined };
    const call = client(1).begin(session, signing(transferRequest(key), [party(1), party(3)]), ignore);
    await expect.poll(() => signers.get(1)?.status().sessions.length, { timeout: 10_000 }).toBe(1);
    call.cancel();
    await expect.poll(() => signers.get(1)?.status().sessions.length, { timeout: 10_000 }).toBe(0);
  });

  test("say what they are in their status", async () => {
    const status = await client(1).getStatus();
    expect(status).toMatchObject({
      ok: true,
      value: {
        index: 1,
        id: "signer-1",
        state: "ready",
        parameters: "INSECURE-TEST",
        auxiliaryEpoch: 1,
        keyCount: 2,
      },
    });
  });

  test("say what they hold of a key, and that they hold nothing of another", async () => {
    const asked = { kind: "named", keyIds: [key.keyId, "key-nobody"] } as const;
    const none = { isImported: false, isExported: false, next: [] };
    expect(await client(1).listKeys(asked)).toEqual({
      ok: true,
      value: {
        keys: [
          { keyId: key.keyId, state: "active", epoch: 1, publicKey: Buffer.from(publicKey), ...none },
          { keyId: "key-nobody", state: "absent", epoch: 0, publicKey: Buffer.alloc(0), ...none },
        ],
        next: undefined,
      },
    });
  });
});
