import { randomBytes, sign } from "node:crypto";
import { rm } from "node:fs/promises";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp } from "node:net";
import type { Command } from "@conclave/cluster";
import { loadSigningKey, makePassphrase, makeSigningKey, type TlsIdentity } from "@conclave/platform";
import { livesOf } from "@conclave/platform/coordination";
import { CONTROL, PEER, SignerClient, type StreamReport } from "@conclave/platform/grpc";
import { type Envelope, encode, envelopeCodec } from "@conclave/threshold";
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { RunningSigner } from "./signer.ts";
import { keyRequest, party, provision, startMember, type TestCluster } from "./testing/cluster.ts";

let cluster: TestCluster;
let signer: RunningSigner;
let orchestrator: SignerClient;
let asSigner2: Client;
let asOrchestrator: Client;
const address = () => cluster.addresses[0] ?? "";

const clientOf = (tls: TlsIdentity): Client => {
  const key = Buffer.from(tls.key.export({ type: "pkcs8", format: "pem" }));
  return new Client(
    address(),
    credentials.createSsl(Buffer.from(tls.authority), key, Buffer.from(tls.certificate)),
    { "grpc.ssl_target_name_override": "localhost", "grpc.max_send_message_length": 4 * 1024 * 1024 },
  );
};

beforeAll(async () => {
  cluster = await provision(3, 2);
  signer = await startMember(cluster, 1);
  // its peers are not there: it serves after a while
  await vi.waitFor(() => expect(signer.status().state).toBe("ready"), { timeout: 10_000 });
  const tls = await cluster.member({ kind: "orchestrator" });
  orchestrator = new SignerClient({ index: party(1), address: address() }, tls);
  asOrchestrator = clientOf(tls);
  asSigner2 = clientOf(await cluster.member({ kind: "signer", index: party(2) }));
});

afterAll(async () => {
  for (const client of [asSigner2, asOrchestrator, orchestrator]) client.close();
  await signer.stop();
  await rm(cluster.folder, { recursive: true });
});

const stillServes = async (): Promise<void> => {
  // on a busy machine an answer may come too late: the question is asked again
  await expect
    .poll(() => orchestrator.getStatus())
    .toMatchObject({ ok: true, value: { state: "ready", sessions: [] } });
};

/** Sends bytes as the body of a call, whatever they are. */
const raw = (client: Client, path: string, body: Buffer): Promise<ServiceError | null> =>
  new Promise((resolve) => {
    const same = (bytes: Buffer): Buffer => bytes;
    client.makeUnaryRequest(path, same, same, body, new Metadata(), (error) => resolve(error));
  });

/** Sends bytes as one request of a link, whatever they are, and says how the link ended and what was taken. */
const link = (client: Client, body: Buffer) =>
  new Promise<{ readonly code: status; readonly taken: number }>((resolve) => {
    const same = (bytes: Buffer): Buffer => bytes;
    const { path, responseDeserialize } = PEER.Deliver;
    let taken = 0;
    const stream = client.makeBidiStreamRequest(path, same, responseDeserialize);
    stream.on("data", (reply) => {
      taken += reply.taken;
    });
    stream.on("error", () => undefined);
    stream.on("status", ({ code }) => resolve({ code, taken }));
    stream.write(body);
    stream.end();
  });

const codeOf = async (body: Buffer): Promise<status> => (await link(asSigner2, body)).code;
const codeOfEnvelopes = (envelopes: readonly Uint8Array[]): Promise<status> =>
  codeOf(PEER.Deliver.requestSerialize({ envelopes: envelopes.map((each) => Buffer.from(each)) }));
const deliver = (envelope: Uint8Array): Promise<status> => codeOfEnvelopes([envelope]);

const envelope = (changes: Partial<Envelope> = {}): Envelope => ({
  session: new Uint8Array(randomBytes(32)),
  round: 1,
  kind: 1,
  from: 2,
  to: 0,
  payload: new Uint8Array(randomBytes(100)),
  signature: new Uint8Array(randomBytes(64)),
  ...changes,
});

const lastWord = async (session: Uint8Array, request: Command): Promise<StreamReport> => {
  const lives = await livesOf([orchestrator]);
  return new Promise((resolve, reject) => {
    orchestrator.begin({ session, lives }, request, {
      report: resolve,
      lost: (reason) => reject(new Error(reason)),
    });
  });
};

const soon = () => Date.now() + 10_000;

describe("from a peer", () => {
  test("random bytes are no protobuf, or no envelope, and do no harm", async () => {
    const bodies = Array.from({ length: 100 }, (_, size) => randomBytes(size * 7));
    const codes = await Promise.all(bodies.map(codeOf));
    expect(codes).not.toContain(status.OK);
    await stillServes();
  });

  test("random envelope bytes are refused as such", async () => {
    const codes = await Promise.all(Array.from({ length: 50 }, () => deliver(randomBytes(200))));
    expect(new Set(codes)).toEqual(new Set([status.INVALID_ARGUMENT]));
    await stillServes();
  });

  test("an envelope in another signer's name is refused", async () => {
    expect(await deliver(encode(envelopeCodec, envelope({ from: 3 })))).toBe(status.PERMISSION_DENIED);
  });

  test("one bad envelope among others refuses them all, and so do too many or none", async () => {
    const good = Buffer.from(encode(envelopeCodec, envelope()));
    const lists = [[good, Buffer.from("bad"), good], [], Array.from({ length: 65 }, () => good)];
    expect(await Promise.all(lists.map(codeOfEnvelopes))).toEqual(lists.map(() => status.INVALID_ARGUMENT));
    await stillServes();
  });

  test("an envelope cut at any place is refused", async () => {
    const whole = encode(envelopeCodec, envelope());
    const codes = await Promise.all(Array.from(whole, (_, end) => deliver(whole.slice(0, end))));
    expect(new Set(codes)).toEqual(new Set([status.INVALID_ARGUMENT]));
    await stillServes();
  });

  test("well-formed envelopes of sessions that nobody began wait within bounds and begin nothing", async () => {
    const bytes = encode(envelopeCodec, envelope());
    /** A signer that has much to do ends a link as unavailable: its peer delivers again. */
    const delivered = async (): Promise<status> => {
      for (;;) {
        const code = await deliver(bytes);
        if (code !== status.UNAVAILABLE) return code;
      }
    };
    const codes = await Promise.all(Array.from({ length: 600 }, delivered));
    expect(new Set(codes)).toEqual(new Set([status.OK]));
    await stillServes();
  });

  test("a link that ends with a bad request has acknowledged what came before it, and takes nothing behind it", async () => {
    const [good, bad] = [[encode(envelopeCodec, envelope())], [randomBytes(200)]];
    const { path, requestSerialize, responseDeserialize } = PEER.Deliver;
    const stream = asSigner2.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
    let taken = 0;
    stream.on("data", (reply) => {
      taken += reply.taken;
    });
    stream.on("error", () => undefined);
    const ended = new Promise<status>((resolve) => {
      stream.on("status", ({ code }) => resolve(code));
    });
    for (const envelopes of [good, good, bad, good]) stream.write({ envelopes: envelopes.map(Buffer.from) });
    expect([await ended, taken]).toEqual([status.INVALID_ARGUMENT, 2]);
  });

  test("of a peer's many links the last ones stay, and the first end as when a signer stops", async () => {
    const { path, requestSerialize, responseDeserialize } = PEER.Deliver;
    const another = clientOf(await cluster.member({ kind: "signer", index: party(2) }));
    const ended: string[] = [];
    const open = (client: Client, name: string) => {
      const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
      stream.on("error", () => undefined);
      stream.on("data", () => undefined);
      stream.on("status", ({ code }) => ended.push(`${name} ${status[code]}`));
      return stream;
    };
    const first = Array.from({ length: 2 }, () => open(asSigner2, "first"));
    await stillServes();
    const last = Array.from({ length: 256 }, (_, at) => open(at < 128 ? asSigner2 : another, "last"));
    await expect.poll(() => ended).toEqual(["first OK", "first OK"]);
    for (const stream of [...first, ...last]) stream.end();
    await expect.poll(() => ended.length).toBe(258);
    another.close();
    await stillServes();
  });

  test("a peer that never reads its messages is disconnected, and costs no memory", async () => {
    const tls = await cluster.member({ kind: "signer", index: party(2) });
    const peer = connectHttp2(`https://${address()}`, {
      ca: tls.authority,
      cert: tls.certificate,
      key: tls.key.export({ type: "pkcs8", format: "pem" }),
      servername: "localhost",
      settings: { initialWindowSize: 0 },
    });
    const stream = peer.request({
      ":method": "POST",
      ":path": PEER.Deliver.path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    const trailers = new Promise((resolve) => {
      stream.on("trailers", (headers) => resolve(headers["grpc-status"]));
    });
    stream.resume();
    const request = PEER.Deliver.requestSerialize({
      envelopes: [Buffer.from(encode(envelopeCodec, envelope()))],
    });
    const frame = Buffer.alloc(5 + request.length);
    frame.writeUInt32BE(request.length, 1);
    request.copy(frame, 5);
    for (let at = 0; at < 2_000; at += 1) stream.write(frame);
    await stillServes();
    peer.settings({ initialWindowSize: 65_535 });
    expect(await trailers).toBe(String(status.RESOURCE_EXHAUSTED));
    peer.destroy();
    await stillServes();
  });

  test("an oversize message is refused before it is read", async () => {
    expect(await deliver(new Uint8Array(2 * 1024 * 1024))).toBe(status.RESOURCE_EXHAUSTED);
    await stillServes();
  });

  test("a call of Control is refused", async () => {
    const error = await raw(asSigner2, CONTROL.ActivateKey.path, Buffer.alloc(0));
    expect(error?.code).toBe(status.PERMISSION_DENIED);
  });
});

describe("from an orchestrator", () => {
  test("random bytes to every method do no harm", async () => {
    const methods = [
      CONTROL.ActivateKey,
      CONTROL.AttestKey,
      CONTROL.DiscardKey,
      CONTROL.GetStatus,
      CONTROL.Begin,
    ];
    const calls = methods.flatMap(({ path }) =>
      Array.from({ length: 20 }, (_, size) => raw(asOrchestrator, path, randomBytes(size * 11))),
    );
    await Promise.all(calls);
    await stillServes();
  });

  test("empty requests are refused, each with a code", async () => {
    const nothing = { payload: new Uint8Array(0), signature: new Uint8Array(0) };
    const reports = await Promise.all([
      lastWord(new Uint8Array(0), { kind: "auxiliary", epoch: 0, expiresAtMs: 0 }),
      lastWord(new Uint8Array(randomBytes(32)), {
        kind: "key-generation",
        authorisation: nothing,
        expiresAtMs: soon(),
      }),
      lastWord(new Uint8Array(randomBytes(32)), {
        kind: "signing",
        quorum: [],
        keyId: "",
        authorisation: nothing,
        unsigned: new Uint8Array(0),
        presignatures: [],
        dead: undefined,
        expiresAtMs: soon(),
      }),
    ]);
    expect(reports.map((report) => (report.kind === "refusal" ? report.problem.code : report.kind))).toEqual([
      "InvalidBody",
      "AuthorisationInvalid",
      "AuthorisationInvalid",
    ]);
    await stillServes();
  });

  test("a command that names nothing is refused, with a code", async () => {
    const { path, requestSerialize, responseDeserialize } = CONTROL.Begin;
    const stream = asOrchestrator.makeServerStreamRequest(path, requestSerialize, responseDeserialize, {});
    const [report] = await stream.toArray();
    expect(report).toMatchObject({ refusal: { code: "InvalidBody" } });
    await stillServes();
  });

  test("a request that another authority signed is refused (INV-8)", async () => {
    const passphrase = makePassphrase();
    const stranger = loadSigningKey(makeSigningKey(passphrase).key, passphrase);
    if (!stranger.ok) throw new Error(stranger.problem.message);
    const { payload } = cluster.authorise(keyRequest(2));
    const signature = sign(null, payload, stranger.value);
    const report = await lastWord(new Uint8Array(randomBytes(32)), {
      kind: "key-generation",
      authorisation: { payload, signature },
      expiresAtMs: soon(),
    });
    expect(report).toMatchObject({ kind: "refusal", problem: { code: "AuthorisationInvalid" } });
  });

  test("a deadline beyond every number is refused", async () => {
    const request = { kind: "auxiliary", epoch: 1, expiresAtMs: Number.MAX_SAFE_INTEGER } as const;
    const report = await lastWord(new Uint8Array(randomBytes(32)), request);
    expect(report).toMatchObject({ kind: "refusal", problem: { code: "DeadlineTooFar" } });
  });

  test("a key id that cannot be one is absent", async () => {
    expect(await orchestrator.discardKey("../../etc/passwd")).toEqual({
      ok: true,
      value: { state: "absent", epoch: 0 },
    });
    expect(await orchestrator.activateKey("\u0000")).toEqual({
      ok: true,
      value: { state: "absent", epoch: 0 },
    });
    await stillServes();
  });
});

describe("from a stranger", () => {
  test("random bytes on the port do no harm", async () => {
    const port = Number(address().split(":")[1]);
    const closed = Array.from(
      { length: 20 },
      () =>
        new Promise<void>((resolve) => {
          const socket = connectTcp(port, "127.0.0.1");
          socket.on("error", () => undefined);
          socket.on("close", () => resolve());
          socket.resume();
          socket.write(randomBytes(4_096));
        }),
    );
    await Promise.all(closed);
    await stillServes();
  });
});
