import { partyIndex } from "@conclave/threshold";
import { type ServerDuplexStream, status } from "@grpc/grpc-js";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type CertificateAuthority, makeCertificateAuthority, makeLeaf } from "../certificates/authority.ts";
import { loadTls, makePassphrase, type TlsIdentity } from "../certificates/loading.ts";
import { BATCHES_AWAY_MAX, PeerClient } from "./peer-client.ts";
import { PEER } from "./proto.ts";
import { type RunningServer, serve } from "./server.ts";
import { ENVELOPE_BYTES_MAX } from "./transport.ts";

const NOW = new Date();
const passphrase = makePassphrase();

const party = (index: number) => {
  const known = partyIndex(index);
  if (known === undefined) throw new RangeError("no party index");
  return known;
};

const signer = async (index: number): Promise<TlsIdentity> => {
  const role = { kind: "signer", index: party(index) } as const;
  const leaf = await makeLeaf(authority, { role, passphrase, now: NOW, days: 1 });
  const tls = loadTls({ ...leaf, authority: authority.certificate }, authority.clusterId, passphrase);
  if (!tls.ok) throw new Error(tls.problem.message);
  return tls.value;
};

let authority: CertificateAuthority;
let server: RunningServer;
let address: string;
type Link = ServerDuplexStream<{ envelopes: Buffer[] }, { taken: number }>;
const links = new Set<Link>();
const delivered: string[] = [];
let deliveries = 0;
let isAcknowledging = true;

const listen = (link: Link): void => {
  links.add(link);
  link.on("data", ({ envelopes }: { envelopes: Buffer[] }) => {
    deliveries += 1;
    delivered.push(...envelopes.map(String));
    if (envelopes.some((envelope) => String(envelope) === "refuse me"))
      link.emit("error", { code: status.INVALID_ARGUMENT });
    else if (isAcknowledging) link.write({ taken: 1 });
  });
  link.on("end", () => link.end());
};

const startServer = async (at: string): Promise<RunningServer> =>
  serve(at, await signer(1), { "conclave.signer.v2.Peer": ["signer"] }, [
    { definition: PEER, implementation: { Deliver: listen } },
  ]);

beforeAll(async () => {
  authority = await makeCertificateAuthority("mesh", NOW);
  server = await startServer("127.0.0.1:0");
  address = `127.0.0.1:${server.port}`;
});

afterAll(() => server.stop(0));

describe("delivery between peers", () => {
  test("envelopes of a session arrive in order", async () => {
    const client = new PeerClient({ index: party(1), address }, await signer(2), () => undefined);
    const texts = Array.from({ length: 20 }, (_, index) => `ordered ${index}`);
    for (const text of texts) client.send(Buffer.from(text));
    await expect.poll(() => client.waiting).toBe(0);
    expect(delivered.filter((text) => text.startsWith("ordered"))).toEqual(texts);
    client.close();
  });

  test("envelopes of many sessions that are there together travel together, those of each in order", async () => {
    const tls = await signer(2);
    const client = new PeerClient({ index: party(1), address }, tls, () => undefined);
    const before = deliveries;
    const sessions = Array.from({ length: 50 }, (_, index) => `together ${index}`);
    for (const part of ["a", "b"]) {
      for (const session of sessions) client.send(Buffer.from(`${session} ${part}`));
    }
    await expect.poll(() => client.waiting).toBe(0);
    expect(deliveries - before).toBe(2); // 64 of the 100 envelopes in the first
    const at = (text: string): number => delivered.indexOf(text);
    expect(sessions.filter((name) => at(`${name} a`) < 0 || at(`${name} b`) < at(`${name} a`))).toEqual([]);
    client.close();
  });

  test("an envelope waits for a peer that is down and arrives when it is back", async () => {
    const spare = await startServer("127.0.0.1:0");
    const there = `127.0.0.1:${spare.port}`;
    await spare.stop(0);
    const client = new PeerClient({ index: party(1), address: there }, await signer(3), () => undefined);
    client.send(Buffer.from("patient"));
    const again = await startServer(there);
    await expect.poll(() => delivered.includes("patient"), { timeout: 5_000 }).toBe(true);
    client.close();
    await again.stop(0);
  });

  test("messages that a peer did not acknowledge before its link broke are sent again, ahead of later ones", async () => {
    const client = new PeerClient({ index: party(1), address }, await signer(2), () => undefined);
    links.clear();
    isAcknowledging = false;
    client.send(Buffer.from("again 1"));
    await expect.poll(() => delivered.includes("again 1")).toBe(true);
    client.send(Buffer.from("again 2"));
    await expect.poll(() => delivered.includes("again 2")).toBe(true);
    isAcknowledging = true;
    for (const link of links) link.end();
    client.send(Buffer.from("again 3"));
    await expect.poll(() => client.waiting).toBe(0);
    const heard = delivered.filter((text) => text.startsWith("again")).slice(-3);
    expect(heard).toEqual(["again 1", "again 2", "again 3"]);
    client.close();
  });

  test("an envelope that a peer refuses is dropped and reported; those behind it arrive", async () => {
    const dropped: string[] = [];
    const tls = await signer(2);
    const client = new PeerClient({ index: party(1), address }, tls, (reason) => dropped.push(reason));
    client.send(Buffer.from("before"));
    await expect.poll(() => client.waiting).toBe(0);
    client.send(Buffer.from("refuse me"));
    await expect.poll(() => delivered.includes("refuse me")).toBe(true);
    client.send(Buffer.from("behind"));
    await expect.poll(() => delivered.includes("behind")).toBe(true);
    expect([dropped, delivered.filter((text) => text === "refuse me").length]).toEqual([["refused"], 1]);
    client.close();
  });

  test("no more is under way than so many requests; what comes meanwhile gathers", async () => {
    const tls = await signer(2);
    const client = new PeerClient({ index: party(1), address }, tls, () => undefined);
    links.clear();
    isAcknowledging = false;
    const before = deliveries;
    for (let at = 0; at < BATCHES_AWAY_MAX; at++) {
      client.send(Buffer.from(`gather ${at}`));
      await expect.poll(() => deliveries - before).toBe(at + 1);
    }
    for (const text of ["gather a", "gather b", "gather c"]) client.send(Buffer.from(text));
    isAcknowledging = true;
    for (const link of links) link.write({ taken: BATCHES_AWAY_MAX });
    await expect.poll(() => client.waiting).toBe(0);
    expect(deliveries - before).toBe(BATCHES_AWAY_MAX + 1);
    client.close();
  });

  test("a queue that is full drops what is new and says so", async () => {
    const dropped: string[] = [];
    const nowhere = { index: party(1), address: "127.0.0.1:1" };
    const client = new PeerClient(nowhere, await signer(2), (reason) => dropped.push(reason));
    const half = new Uint8Array(512 * 1024);
    for (let count = 0; count < 33; count++) client.send(half);
    expect(dropped).toEqual(["overfull"]);
    client.close();
  });

  test("an oversize envelope does not leave", async () => {
    const dropped: string[] = [];
    const tls = await signer(2);
    const client = new PeerClient({ index: party(1), address }, tls, (reason) => dropped.push(reason));
    client.send(new Uint8Array(ENVELOPE_BYTES_MAX + 1));
    client.close();
    expect(dropped).toEqual(["oversize"]);
  });
});

describe("envelopes that wait for a peer, under a clock that jumps", () => {
  const HOUR_MS = 3_600_000;
  const WAITED_MS = 31_000;
  const rightNow = Date.now.bind(Date);
  /** Sets the clock ahead by this much, or back if negative. */
  const setClock = (aheadMs: number) => vi.spyOn(Date, "now").mockImplementation(() => rightNow() + aheadMs);
  afterEach(() => void vi.restoreAllMocks());

  /** A client of a peer that is away, and the reasons for which its envelopes were dropped. */
  const toNobody = async () => {
    const spare = await startServer("127.0.0.1:0");
    const there = `127.0.0.1:${spare.port}`;
    await spare.stop(0);
    const dropped: string[] = [];
    const tls = await signer(3);
    return {
      client: new PeerClient({ index: party(1), address: there }, tls, (why) => dropped.push(why)),
      there,
      dropped,
    };
  };
  const jumps = [HOUR_MS, 2_400 * HOUR_MS];

  test.each(jumps)(
    "by %i ms ahead they are dropped as too old, and what is sent then arrives",
    async (aheadMs) => {
      const { client, there, dropped } = await toNobody();
      client.send(Buffer.from(`before ${aheadMs} ahead`));
      setClock(aheadMs);
      await expect.poll(() => dropped).toEqual(["too old"]);
      client.send(Buffer.from(`while ${aheadMs} ahead`));
      const again = await startServer(there);
      await expect.poll(() => delivered).toContain(`while ${aheadMs} ahead`);
      setClock(0);
      client.send(Buffer.from(`after ${aheadMs} ahead`));
      await expect.poll(() => delivered).toContain(`after ${aheadMs} ahead`);
      expect(delivered).not.toContain(`before ${aheadMs} ahead`);
      client.close();
      await again.stop(0);
    },
  );

  test.each(jumps)("by %i ms back they are kept for longer, and arrive", async (backMs) => {
    const { client, there, dropped } = await toNobody();
    client.send(Buffer.from(`before ${backMs} back`));
    setClock(WAITED_MS - backMs);
    const again = await startServer(there);
    await expect.poll(() => delivered).toContain(`before ${backMs} back`);
    setClock(0);
    client.send(Buffer.from(`after ${backMs} back`));
    await expect.poll(() => delivered).toContain(`after ${backMs} back`);
    expect(dropped).toEqual([]);
    client.close();
    await again.stop(0);
  });
});
