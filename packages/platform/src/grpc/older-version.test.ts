import { partyIndex } from "@conclave/threshold";
import { Client, Metadata, type ServiceError, type StatusObject, status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CertificateAuthority, makeCertificateAuthority, makeLeaf } from "../certificates/authority.ts";
import { loadTls, makePassphrase, type Role, type TlsIdentity } from "../certificates/loading.ts";
import { HealthService } from "./health.ts";
import { olderServices } from "./older-version.ts";
import { type DropReason, PeerClient } from "./peer-client.ts";
import { HEALTH } from "./proto.ts";
import type { StreamReport } from "./report.ts";
import { type RunningServer, serve } from "./server.ts";
import { SignerClient } from "./signer-client.ts";
import { channelCredentials } from "./transport.ts";

const NOW = new Date();
const passphrase = makePassphrase();
const ADMISSION = {
  "conclave.signer.v1.Control": ["orchestrator"],
  "conclave.signer.v1.Peer": ["signer"],
  "conclave.signer.v2.Control": ["orchestrator"],
  "conclave.signer.v2.Peer": ["signer"],
  "grpc.health.v1.Health": ["orchestrator", "signer"],
} as const;

const party = (index: number) => {
  const known = partyIndex(index);
  if (known === undefined) throw new RangeError("no party index");
  return known;
};

let authority: CertificateAuthority;
/** speaks this version, and answers older callers with a refusal */
let newer: RunningServer;
/** has no service of this version */
let older: RunningServer;
const health = new HealthService();

const member = async (role: Role): Promise<TlsIdentity> => {
  const leaf = await makeLeaf(authority, { role, passphrase, now: NOW, days: 1 });
  const tls = loadTls({ ...leaf, authority: authority.certificate }, authority.clusterId, passphrase);
  if (!tls.ok) throw new Error(tls.problem.message);
  return tls.value;
};
const signer = (index: number) => member({ kind: "signer", index: party(index) });
const addressOf = ({ port }: RunningServer): string => `127.0.0.1:${port}`;

beforeAll(async () => {
  authority = await makeCertificateAuthority("versions", NOW);
  const served = { definition: HEALTH, implementation: health.handlers() };
  newer = await serve("127.0.0.1:0", await signer(1), ADMISSION, [served, ...olderServices("signer-1")]);
  older = await serve("127.0.0.1:0", await signer(1), ADMISSION, [served]);
});

afterAll(async () => {
  health.close();
  await Promise.all([newer.stop(0), older.stop(0)]);
});

const same = (bytes: Buffer): Buffer => bytes;
const clientOf = async (tls: TlsIdentity): Promise<Client> =>
  new Client(addressOf(newer), channelCredentials(tls, { kind: "signer", index: party(1) }), {
    "grpc.ssl_target_name_override": "localhost",
  });

const ORCHESTRATOR_OLDER =
  "This orchestrator is older than signer-1: it speaks version 1 of the protocol, signer-1 speaks version 2. Upgrade the orchestrator.";
const PEER_OLDER =
  "This signer is older than signer-1: it speaks version 1 of the protocol, signer-1 speaks version 2. Upgrade the signer.";

describe("an older caller reads that it is older", () => {
  test("when it asks one question", async () => {
    const client = await clientOf(await member({ kind: "orchestrator" }));
    const error = await new Promise<ServiceError | null>((resolve) => {
      const path = "/conclave.signer.v1.Control/GetStatus";
      client.makeUnaryRequest(path, same, same, Buffer.alloc(0), new Metadata(), resolve);
    });
    client.close();
    expect(error).toMatchObject({ code: status.FAILED_PRECONDITION, details: ORCHESTRATOR_OLDER });
  });

  test.each(["Sign", "SignMessage", "GenerateKey", "Presign", "ReshareKey"])(
    "when it begins a session by %s",
    async (method) => {
      const client = await clientOf(await member({ kind: "orchestrator" }));
      const path = `/conclave.signer.v1.Control/${method}`;
      const stream = client.makeServerStreamRequest(path, same, same, Buffer.alloc(0));
      const error = await new Promise((resolve) => stream.on("error", resolve).resume());
      client.close();
      expect(error).toMatchObject({ code: status.FAILED_PRECONDITION, details: ORCHESTRATOR_OLDER });
    },
  );

  test("when a signer delivers envelopes", async () => {
    const client = await clientOf(await signer(2));
    const link = client.makeBidiStreamRequest("/conclave.signer.v1.Peer/Deliver", same, same);
    link.on("error", () => undefined).resume();
    const ended = await new Promise<StatusObject>((resolve) => link.on("status", resolve));
    client.close();
    expect(ended).toMatchObject({ code: status.FAILED_PRECONDITION, details: PEER_OLDER });
  });
});

describe("a caller reads which signer is older", () => {
  const problem = {
    code: "SignerOlder",
    message:
      "signer-1 is older than its caller: it does not speak version 2 of the protocol. Upgrade signer-1.",
  };
  const orchestrator = async (): Promise<SignerClient> =>
    new SignerClient({ index: party(1), address: addressOf(older) }, await member({ kind: "orchestrator" }));

  test("when it asks one question", async () => {
    const client = await orchestrator();
    expect(await client.getStatus()).toMatchObject({ ok: false, problem });
    client.close();
  });

  test("when it begins a session, which ends as by an outage that passes", async () => {
    const client = await orchestrator();
    const report = await new Promise<StreamReport>((resolve, reject) => {
      const command = { kind: "auxiliary", epoch: 1, expiresAtMs: 1 } as const;
      client.begin({ session: new Uint8Array(32), lives: new Map() }, command, {
        report: resolve,
        lost: (why) => reject(new Error(why)),
      });
    });
    client.close();
    expect(report).toMatchObject({ kind: "refusal", problem });
  });

  test("when it is a peer", async () => {
    const reasons: DropReason[] = [];
    const at = { index: party(1), address: addressOf(older) };
    const peer = new PeerClient(at, await signer(2), (reason) => reasons.push(reason));
    peer.send(new Uint8Array(8));
    await expect.poll(() => reasons).toEqual(["the peer is of an older version: upgrade it"]);
    peer.close();
  });
});
