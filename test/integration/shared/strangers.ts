import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Role, TlsIdentity } from "@conclave/platform";
import { encode, envelopeCodec, partyIndex } from "@conclave/threshold";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "../funded-wallet.ts";
import { PATIENCE_MS } from "../patience.ts";
import { type CallStatus, foreignIdentity, RawCaller, type Shown } from "../raw-caller.ts";
import { memberIdentity, SignerAccess } from "../signer-access.ts";
import { cluster } from "./shared-cluster.ts";

const GARBAGE_BYTES = 64 * 1024;

let signers: SignerAccess;
let pids: readonly number[];
let address: string;
let orchestrator: TlsIdentity;
let signer2: TlsIdentity;

const signerPids = (): readonly number[] =>
  cluster
    .status()
    .filter(({ name, state }) => name.startsWith("signer-") && state === "running")
    .map(({ pid }) => pid);

/** The status that signer-1 returns to a caller with this certificate. */
const asks = async (shown: Shown, call: (caller: RawCaller) => Promise<CallStatus>): Promise<CallStatus> => {
  const caller = new RawCaller(cluster, address, shown);
  try {
    return await call(caller);
  } finally {
    caller.close();
  }
};

const envelopeFrom = (from: number): Uint8Array =>
  encode(envelopeCodec, {
    session: randomBytes(32),
    round: 1,
    kind: 1,
    from,
    to: 0,
    payload: randomBytes(64),
    signature: randomBytes(64),
  });

const role = (index: number): Role => {
  const party = partyIndex(index);
  if (party === undefined) throw new RangeError(`${index} is no party index`);
  return { kind: "signer", index: party };
};

export const strangers = (): void => {
  describe("signers' refusals to strangers", () => {
    beforeAll(async () => {
      signers = await SignerAccess.open(cluster);
      orchestrator = await memberIdentity(cluster, cluster.layout.orchestrator);
      signer2 = await memberIdentity(cluster, cluster.layout.signer(2));
      address = cluster.description.signers[0]?.address ?? "";
      pids = signerPids();
    });
    afterAll(async () => {
      signers?.close();
    });

    describe("a signer's port", () => {
      it("serves the orchestrator on Control and another signer on Peer", async () => {
        expect(await asks(orchestrator, (caller) => caller.control())).toBe("OK");
        expect(await asks(signer2, (caller) => caller.peer(envelopeFrom(2)))).toBe("OK");
      });

      it("INV-10 refuses a caller without a certificate on Control and on Peer", async () => {
        expect(await asks(undefined, (caller) => caller.control())).toBe("UNAVAILABLE");
        expect(await asks(undefined, (caller) => caller.peer(envelopeFrom(2)))).toBe("UNAVAILABLE");
      });

      it("refuses a certificate of a foreign authority on Control and on Peer", async () => {
        const { clusterId } = cluster.description;
        const asOrchestrator = await foreignIdentity(clusterId, { kind: "orchestrator" });
        const asSigner = await foreignIdentity(clusterId, role(2));
        expect(await asks(asOrchestrator, (caller) => caller.control())).toBe("UNAVAILABLE");
        expect(await asks(asSigner, (caller) => caller.peer(envelopeFrom(2)))).toBe("UNAVAILABLE");
      });

      it("refuses a signer on Control and the orchestrator on Peer", async () => {
        expect(await asks(signer2, (caller) => caller.control())).toBe("PERMISSION_DENIED");
        expect(await asks(orchestrator, (caller) => caller.peer(envelopeFrom(2)))).toBe("PERMISSION_DENIED");
      });

      it("INV-7 refuses an envelope that names another sender than the certificate", async () => {
        expect(await asks(signer2, (caller) => caller.peer(envelopeFrom(3)))).toBe("PERMISSION_DENIED");
      });

      it.each([
        ["of random bytes", (): Uint8Array => randomBytes(1_000)],
        ["of no bytes", (): Uint8Array => new Uint8Array(0)],
        ["that is larger than any may be", (): Uint8Array => new Uint8Array(600 * 1024 + 1)],
      ] as const)("refuses an envelope %s", async (_, bytes) => {
        expect(await asks(signer2, (caller) => caller.peer(bytes()))).toBe("INVALID_ARGUMENT");
      });
    });

    describe("garbage on a signer's port", () => {
      const portOf = (): number => Number(address.split(":")[1]);

      it("before a handshake ends the connection", async () => {
        const socket = connectTcp(portOf(), "127.0.0.1");
        socket.on("error", () => undefined);
        socket.resume().write(randomBytes(GARBAGE_BYTES));
        await once(socket, "close");
      });

      it("after a good handshake ends the connection", async () => {
        const { authority: ca, certificate: cert } = orchestrator;
        const key = orchestrator.key.export({ type: "pkcs8", format: "pem" });
        const socket = connectTls({
          host: "127.0.0.1",
          port: portOf(),
          ca,
          cert,
          key,
          ALPNProtocols: ["h2"],
        });
        socket.on("error", () => undefined);
        await once(socket, "secureConnect");
        socket.resume().write(randomBytes(GARBAGE_BYTES));
        await once(socket, "close");
      });
    });

    describe("after all of that", () => {
      it("the same processes make a key and sign", async () => {
        const wallet = await makeFundedWallet(cluster);
        const asked = await cluster.api.transfer(wallet.id, {
          kind: "Native",
          to: freshReceiver(),
          amount: "1",
        });
        await cluster.api.confirmed(asked, PATIENCE_MS);
        expect(signerPids()).toEqual(pids);
        expect((await signers.statuses()).size).toBe(3);
      });
    });
  });
};
