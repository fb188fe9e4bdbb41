import { once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect as connectTcp } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { partyIndex } from "@conclave/threshold";
import {
  Client,
  credentials,
  Metadata,
  type ServerDuplexStream,
  type ServiceError,
  type StatusObject,
  status,
} from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CertificateAuthority, makeCertificateAuthority, makeLeaf } from "../certificates/authority.ts";
import { loadTls, makePassphrase, type Role, type TlsIdentity } from "../certificates/loading.ts";
import { HealthService } from "./health.ts";
import { PeerClient } from "./peer-client.ts";
import { CONTROL, HEALTH, PEER } from "./proto.ts";
import { type RunningServer, serve } from "./server.ts";
import { SignerClient } from "./signer-client.ts";
import { toStatusReply } from "./signer-status.ts";
import { channelCredentials, RECEIVE_BYTES_MAX, TLS_HANDSHAKE_MS_MAX } from "./transport.ts";

const CLUSTER = "mesh";
const NOW = new Date();
const passphrase = makePassphrase();

const party = (index: number) => {
  const known = partyIndex(index);
  if (known === undefined) throw new RangeError("no party index");
  return known;
};
const signer = (index: number): Role => ({ kind: "signer", index: party(index) });
const ORCHESTRATOR: Role = { kind: "orchestrator" };

const member = async (
  authority: CertificateAuthority,
  role: Role,
  days = 1,
  now = NOW,
): Promise<TlsIdentity> => {
  const leaf = await makeLeaf(authority, { role, passphrase, now, days });
  const tls = loadTls({ ...leaf, authority: authority.certificate }, authority.clusterId, passphrase);
  if (!tls.ok) throw new Error(tls.problem.message);
  return tls.value;
};

const STATUS = {
  index: 1,
  id: "signer-1",
  state: "ready",
  parameters: "INSECURE-TEST",
  auxiliaryEpoch: 0,
  auxiliaryDigest: new Uint8Array(0),
  pendingAuxiliary: [],
  keyCount: 0,
  keysToRefresh: 0,
  sessions: [],
  cpuMicroseconds: 1,
  residentBytes: 2,
  connectedPeers: [party(2)],
  quarantined: [],
  clockMs: undefined,
  life: undefined,
  pool: {
    ready: 1,
    reserved: 0,
    stored: 2,
    consumed: 1,
    burnt: 0,
    expired: 0,
    refused: 0,
    reused: 0,
    rolledBack: 0,
  },
} as const;

let authority: CertificateAuthority;
let server: RunningServer;
let address: string;
type Link = ServerDuplexStream<{ envelopes: Buffer[] }, { taken: number }>;
const delivered: string[] = [];
const health = new HealthService();

const startServer = async (at: string, tls?: TlsIdentity): Promise<RunningServer> =>
  serve(
    at,
    tls ?? (await member(authority, signer(1))),
    {
      "conclave.signer.v2.Control": ["orchestrator"],
      "conclave.signer.v2.Peer": ["signer"],
      "grpc.health.v1.Health": ["orchestrator", "signer"],
    },
    [
      { definition: HEALTH, implementation: health.handlers() },
      {
        definition: PEER,
        implementation: {
          Deliver: (link: Link) => {
            link.on("data", ({ envelopes }: { envelopes: Buffer[] }) =>
              delivered.push(...envelopes.map(String)),
            );
            link.on("end", () => link.end());
          },
        },
      },
      {
        definition: CONTROL,
        implementation: {
          GetStatus: (_call: unknown, callback: (error: null, reply: object) => void) =>
            callback(null, toStatusReply(STATUS)),
        },
      },
    ],
  );

beforeAll(async () => {
  authority = await makeCertificateAuthority(CLUSTER, NOW);
  server = await startServer("127.0.0.1:0");
  address = `127.0.0.1:${server.port}`;
});

afterAll(async () => {
  health.close();
  await server.stop(0);
});

const statusOver = async (tls: TlsIdentity, index = 1, at = address) => {
  const client = new SignerClient({ index: party(index), address: at }, tls);
  try {
    const reply = await client.getStatus();
    return reply.ok ? "answered" : String(reply.problem.details["grpc"]);
  } finally {
    client.close();
  }
};

describe("the right to call", () => {
  test("an orchestrator reads the status of the signer that it means", async () => {
    const client = new SignerClient({ index: party(1), address }, await member(authority, ORCHESTRATOR));
    expect(await client.getStatus()).toMatchObject({
      ok: true,
      value: { ...STATUS, auxiliaryDigest: expect.anything() },
    });
    client.close();
  });

  test("a signer may not call Control", async () => {
    expect(await statusOver(await member(authority, signer(2)))).toBe("PERMISSION_DENIED");
  });

  test("an orchestrator may not call Peer", async () => {
    const dropped = await new Promise((resolve, reject) => {
      member(authority, ORCHESTRATOR).then((tls) => {
        const client = new PeerClient({ index: party(1), address }, tls, (reason) => {
          resolve(reason);
          client.close();
        });
        client.send(Buffer.from("from an orchestrator"));
      }, reject);
    });
    expect(dropped).toBe("refused");
    expect(delivered).not.toContain("from an orchestrator");
  });

  test("a caller of another authority is refused", async () => {
    const stranger = await member(await makeCertificateAuthority(CLUSTER, NOW), ORCHESTRATOR);
    expect(await statusOver({ ...stranger, authority: authority.certificate })).toBe("UNAVAILABLE");
  });

  test("a caller of an authority that was made later is let in by those who name both", async () => {
    const later = await makeCertificateAuthority(CLUSTER, NOW);
    const healthOfRenewed = new HealthService();
    const both = `${authority.certificate}\n${later.certificate}\n`;
    const renewed = await serve(
      "127.0.0.1:0",
      { ...(await member(authority, signer(1))), authority: both },
      { "grpc.health.v1.Health": ["signer"] },
      [{ definition: HEALTH, implementation: healthOfRenewed.handlers() }],
    );
    healthOfRenewed.setServing(true);
    const client = new SignerClient(
      { index: party(1), address: `127.0.0.1:${renewed.port}` },
      { ...(await member(later, signer(2))), authority: both },
    );
    const heard: boolean[] = [];
    const watch = client.watchHealth((isServing) => heard.push(isServing));
    await expect.poll(() => heard).toContain(true);
    watch.close();
    client.close();
    healthOfRenewed.close();
    await renewed.stop(0);
  });

  test("a caller of another cluster under the same authority is refused", async () => {
    const elsewhere = await member({ ...authority, clusterId: "elsewhere" }, ORCHESTRATOR);
    expect(await statusOver({ ...elsewhere, clusterId: CLUSTER })).toBe("PERMISSION_DENIED");
  });

  test("a caller whose certificate has expired is refused", async () => {
    expect(await statusOver(await member(authority, ORCHESTRATOR, -1))).toBe("UNAVAILABLE");
  });

  // TLS reads the system's clock, so a certificate with other dates stands for a clock that is wrong by as much
  describe.each([
    ["an hour", 3_600_000],
    ["100 days", 8_640_000_000],
  ])("while a clock is wrong by %s", (_, byMs) => {
    const DAY_MS = 86_400_000;
    const SKEW_MS = 300_000;
    /** expired by this much: the clock is ahead */
    const ended = (role: Role) => member(authority, role, 2, new Date(NOW.getTime() - 2 * DAY_MS - byMs));
    /** becomes valid only after this much: the clock is behind */
    const early = (role: Role) => member(authority, role, 2, new Date(NOW.getTime() + SKEW_MS + byMs));

    test.each([
      ["beyond the end of a certificate", ended],
      ["before its first day", early],
    ])("and it stands %s: no link opens, either way", async (__, of) => {
      expect(await statusOver(await of(ORCHESTRATOR))).toBe("UNAVAILABLE");
      const wrong = await startServer("127.0.0.1:0", await of(signer(1)));
      const there = `127.0.0.1:${wrong.port}`;
      expect(await statusOver(await member(authority, ORCHESTRATOR), 1, there)).toBe("UNAVAILABLE");
      await wrong.stop(0);
      // after a restart with a right clock
      const right = await startServer(there);
      expect(await statusOver(await member(authority, ORCHESTRATOR), 1, there)).toBe("answered");
      await right.stop(0);
    });

    test("and it stands within the days of a certificate: links open", async () => {
      const now = new Date(NOW.getTime() - DAY_MS - byMs);
      expect(await statusOver(await member(authority, ORCHESTRATOR, 730, now))).toBe("answered");
    });
  });

  test("a caller without a certificate is refused", async () => {
    const bare = new Client(address, credentials.createSsl(Buffer.from(authority.certificate)));
    const { path, requestSerialize, responseDeserialize } = HEALTH.Check;
    const error = await new Promise<ServiceError | null>((resolve) => {
      bare.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        { service: "" },
        new Metadata(),
        resolve,
      );
    });
    bare.close();
    expect(error?.code).toBe(status.UNAVAILABLE);
  });

  test("a server that is another signer than the one meant is refused by the caller", async () => {
    expect(await statusOver(await member(authority, ORCHESTRATOR), 2)).toBe("UNAVAILABLE");
  });

  test("TLS 1.2 is refused", async () => {
    const tls = await member(authority, ORCHESTRATOR);
    const options: ConnectionOptions = {
      host: "127.0.0.1",
      port: server.port,
      ca: tls.authority,
      cert: tls.certificate,
      key: tls.key.export({ type: "pkcs8", format: "pem" }),
      maxVersion: "TLSv1.2",
      ALPNProtocols: ["h2"],
    };
    const [error] = await once(connectTls(options), "error");
    expect(String(error)).toContain("protocol version");
  });
});

describe("health", () => {
  test("a watcher hears each change", async () => {
    const client = new SignerClient({ index: party(1), address }, await member(authority, ORCHESTRATOR));
    const heard: boolean[] = [];
    const watch = client.watchHealth((isServing) => heard.push(isServing));
    await expect.poll(() => heard).toEqual([false]);
    health.setServing(true);
    await expect.poll(() => heard).toEqual([false, true]);
    health.setServing(false);
    await expect.poll(() => heard).toEqual([false, true, false]);
    watch.close();
    client.close();
  });

  test("a server that is gone counts as not serving, and is found again when it is back", async () => {
    const spare = await startServer("127.0.0.1:0");
    const there = `127.0.0.1:${spare.port}`;
    const client = new SignerClient(
      { index: party(1), address: there },
      await member(authority, ORCHESTRATOR),
    );
    health.setServing(true);
    const heard: boolean[] = [];
    const watch = client.watchHealth((isServing) => heard.push(isServing));
    await expect.poll(() => heard).toEqual([true]);
    health.close();
    await spare.stop(0);
    await expect.poll(() => heard).toEqual([true, false]);
    const again = await startServer(there);
    await expect.poll(() => heard).toEqual([true, false, true]);
    watch.close();
    client.close();
    await again.stop(0);
  });
});

describe("a closed client", () => {
  test("answers that it is closed, and its watches with it are silent", async () => {
    const client = new SignerClient(
      { index: party(1), address: "127.0.0.1:1" },
      await member(authority, ORCHESTRATOR),
    );
    const heard: boolean[] = [];
    await new Promise<void>((resolve) => {
      client.watchHealth((isServing) => {
        heard.push(isServing);
        client.close(); // a caller that wants only one answer may do this
        resolve();
      });
    });
    const lost: string[] = [];
    const listener = { report: () => undefined, lost: (reason: string) => lost.push(reason) };
    client.begin(
      { session: new Uint8Array(32), lives: new Map() },
      { kind: "auxiliary", epoch: 1, expiresAtMs: 1 },
      listener,
    );
    expect(await client.getStatus()).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
    expect([heard, lost]).toEqual([[false], ["the client is closed"]]);
  });
});

describe("garbage", () => {
  const stillAnswers = async () =>
    expect(await statusOver(await member(authority, ORCHESTRATOR))).toBe("answered");

  test("plain bytes on the port do no harm", async () => {
    const socket = connectTcp(server.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(Buffer.from("GET / HTTP/1.1\r\n\r\n".repeat(1_000)));
    await once(socket, "close");
    await stillAnswers();
  });

  const http2 = async (): Promise<ClientHttp2Session> => {
    const tls = await member(authority, signer(2));
    const session = connectHttp2(`https://127.0.0.1:${server.port}`, {
      ca: tls.authority,
      cert: tls.certificate,
      key: tls.key.export({ type: "pkcs8", format: "pem" }),
    });
    session.on("error", () => undefined);
    return session;
  };

  test.each([
    ["bytes that are no protobuf", Buffer.from([0, 0, 0, 0, 4, 0xff, 0xff, 0xff, 0xff])],
    ["a frame that announces 4 GiB", Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1])],
    ["a compressed flag without compression", Buffer.from([1, 0, 0, 0, 1, 7])],
    ["an empty body", Buffer.alloc(0)],
  ])("%s in a Deliver call do no harm", async (_, body) => {
    const session = await http2();
    const stream = session.request({
      ":method": "POST",
      ":path": "/conclave.signer.v2.Peer/Deliver",
      "content-type": "application/grpc",
      te: "trailers",
    });
    stream.on("error", () => undefined);
    stream.resume();
    stream.end(body);
    await once(stream, "close");
    session.destroy();
    await stillAnswers();
  });

  test("a message above the limit is refused and the server goes on", async () => {
    const client = new Client(address, channelCredentials(await member(authority, signer(2)), signer(1)));
    const { path, requestSerialize, responseDeserialize } = PEER.Deliver;
    const oversize = { envelopes: [Buffer.alloc(RECEIVE_BYTES_MAX + 1)] };
    const ended = await new Promise<StatusObject>((resolve) => {
      const link = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
      link.on("error", () => undefined);
      link.on("status", resolve);
      link.write(oversize);
    });
    client.close();
    expect(ended.code).toBe(status.RESOURCE_EXHAUSTED);
    await stillAnswers();
  });

  test("raw bytes after a good TLS handshake do no harm", async () => {
    const tls = await member(authority, signer(2));
    const key = tls.key.export({ type: "pkcs8", format: "pem" });
    const { authority: ca, certificate: cert } = tls;
    const socket = connectTls({ host: "127.0.0.1", port: server.port, ca, cert, key, ALPNProtocols: ["h2"] });
    socket.on("error", () => undefined);
    await once(socket, "secureConnect");
    socket.resume();
    socket.write(Buffer.alloc(64 * 1024, 0x5a));
    await once(socket, "close");
    await stillAnswers();
  });
});

test("a server that stops waits for its grace alone, for any silent client with an open connection", async () => {
  const stopping = await startServer("127.0.0.1:0");
  const silent = connectTcp(stopping.port, "127.0.0.1");
  await once(silent, "connect");
  // the server accepts connections in order: once it speaks with the next one, it has the silent one too
  const next = connectTls({ port: stopping.port, host: "127.0.0.1", rejectUnauthorized: false });
  await once(next, "secureConnect");
  next.on("error", () => undefined).destroy();
  // timers of one process fire in order, however slow it is; without a timer of its own, `stop` would wait for the
  // handshake's limit
  const over = new AbortController();
  const later = delay(TLS_HANDSHAKE_MS_MAX - 1_000, "the server still waits", over);
  const stopped = stopping.stop(10).then(() => "the server has stopped");
  expect(await Promise.race([stopped, later.catch(() => "")])).toBe("the server has stopped");
  over.abort();
  silent.destroy();
});
