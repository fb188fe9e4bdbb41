import { generateKeyPairSync, sign } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { attestationBytes, keyIdSchema } from "@conclave/custody";
import { insertAttestedKey } from "@conclave/platform";
import { type ApiTransfer, type ApiWallet, waitUntil } from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { kindsOf, readEvents } from "../event-stream.ts";
import { freshReceiver, makeFundedWallet } from "../funded-wallet.ts";
import { asOrchestrator } from "../orchestrator-database.ts";
import { PATIENCE_MS } from "../patience.ts";
import { SignerAccess } from "../signer-access.ts";
import { cluster } from "./shared-two-of-three.ts";

const SEEN_POLL_MS = 2;
const AMOUNT = 777n;
const LIFE = ["wallet.transfer.requested", "wallet.transfer.broadcasted", "wallet.transfer.confirmed"];

let signers: SignerAccess;

const CREATING_KEYS = "select id from keys where status = 'Creating'";
const isNotEmpty = <Row>([first, ...rest]: readonly Row[]): readonly [Row, ...Row[]] | undefined =>
  first === undefined ? undefined : [first, ...rest];

interface Sent {
  readonly wallet: ApiWallet;
  readonly to: `0x${string}`;
  readonly transfer: ApiTransfer;
}

const send = async (wallet: ApiWallet): Promise<Sent> => {
  const to = freshReceiver();
  const body = { kind: "Native", to, amount: AMOUNT.toString() } as const;
  return { wallet, to, transfer: await cluster.api.transfer(wallet.id, body) };
};

const seen = (what: string, probe: () => Promise<boolean>): Promise<true> =>
  waitUntil(async () => ((await probe()) ? true : undefined), {
    what,
    deadlineMs: PATIENCE_MS,
    pollMs: SEEN_POLL_MS,
  });

const statusOf = async ({ transfer }: Sent): Promise<ApiTransfer["status"]> =>
  (await cluster.api.readTransfer(transfer.walletId, transfer.id)).status;

interface Death {
  /** resolves at this moment in the life of a transfer */
  readonly moment: (sent: Sent) => Promise<unknown>;
  readonly victims: readonly string[];
}

const DEATHS: readonly Death[] = [
  { moment: async () => undefined, victims: ["orchestrator"] },
  {
    moment: (sent) => seen("a transfer that executes", async () => (await statusOf(sent)) !== "Pending"),
    victims: ["orchestrator"],
  },
  {
    moment: (sent) =>
      seen("a signing session", async () => {
        const ids = cluster.description.signers.map(({ id }) => id);
        const signing = await Promise.all(ids.map((id) => signers.isInSession(id, "signing")));
        return signing.includes(true) || (await statusOf(sent)) === "Confirmed";
      }),
    victims: ["orchestrator"],
  },
  {
    moment: (sent) =>
      seen("a broadcast transfer", async () => ["Broadcasted", "Confirmed"].includes(await statusOf(sent))),
    victims: ["orchestrator"],
  },
  { moment: async () => undefined, victims: ["orchestrator", "gateway", "nats"] },
];

/** Restarts the bus first, because the others wait for it. */
const restart = async (victims: readonly string[]): Promise<void> => {
  const [buses, services] = [
    victims.filter((name) => name === "nats"),
    victims.filter((name) => name !== "nats"),
  ];
  for (const names of [buses, services]) await Promise.all(names.map((name) => cluster.restart(name)));
  await cluster.ready();
};

const expectLandedOnce = async (sent: readonly Sent[]): Promise<void> => {
  await Promise.all(sent.map(({ transfer }) => cluster.api.confirmed(transfer, PATIENCE_MS)));
  const received = await Promise.all(sent.map(({ to }) => cluster.chain.balance(to)));
  expect(received).toEqual(sent.map(() => AMOUNT));
  for (const wallet of new Set(sent.map(({ wallet }) => wallet))) {
    const own = sent.filter((one) => one.wallet === wallet).length;
    expect(await cluster.chain.transactionCount(wallet.address)).toBe(own);
  }
};

const killedAgain = (): void => {
  describe("services that are killed again and again, each time at another moment of a transfer", () => {
    it("INV-5 INV-4 INV-6 finish every accepted request: one transaction a transfer, one event a change, one key a wallet", async () => {
      const sent: Sent[] = [];
      for (const { moment, victims } of DEATHS) {
        const wallet = await makeFundedWallet(cluster);
        const first = await send(wallet);
        const second = await send(wallet);
        await moment(first);
        await Promise.all(victims.map((name) => cluster.kill(name)));
        await restart(victims);
        sent.push(first, second);
      }
      const interrupted = cluster.api.createWallet(cluster.description.chain.network, "interrupted");
      await seen("a key generation", () => signers.isInSession("signer-1", "key-generation"));
      await cluster.kill("orchestrator");
      await restart(["orchestrator"]);

      await expectLandedOnce(sent);
      await vi.waitFor(
        async () => {
          const events = await readEvents(cluster.layout);
          expect(sent.map(({ transfer }) => kindsOf(events, transfer.id))).toEqual(sent.map(() => LIFE));
        },
        { timeout: PATIENCE_MS },
      );
      const { signingKey } = await interrupted;
      const held = Object.values(await signers.keys());
      expect(held[0]).toContain(`${signingKey.id}: active`);
      expect(held).toEqual(held.map(() => held[0]));
    });
  });
};

const gatewayKilled = (): void => {
  describe("a gateway that is killed right after it accepted transfers", () => {
    it("INV-5 INV-4 has lost none of them, and serves the same data once it is back", async () => {
      const wallet = await makeFundedWallet(cluster);
      const sent = await Promise.all([send(wallet), send(wallet), send(wallet)]);
      await cluster.kill("gateway");
      await cluster.restart("gateway");
      await expectLandedOnce(sent);
    });
  });
};

const databaseKilled = (): void => {
  describe("a database that is killed while transfers are under way", () => {
    it("INV-5 INV-4 loses none of them; the services go on by themselves once it is back", async () => {
      const wallet = await makeFundedWallet(cluster);
      const sent = [await send(wallet), await send(wallet)];
      await cluster.kill("postgres");
      await waitUntil(
        async () => {
          // PostgreSQL refuses to start while child processes of the killed one hold its shared memory
          const isGone = cluster
            .status()
            .some(({ name, state }) => name === "postgres" && state === "exited");
          if (isGone) await cluster.restart("postgres");
          const { status } = await cluster.api.send("GET", "/wallets");
          return status === 200 ? true : undefined;
        },
        { what: "the gateway to reach its database again", deadlineMs: PATIENCE_MS },
      );
      await expectLandedOnce(sent);
    });
  });
};

const chainKilled = (): void => {
  describe("a chain node that crashes and forgets a transaction it was given", () => {
    it("INV-4 INV-5 is given the very same bytes again, and the transfer is confirmed once", async () => {
      const wallet = await makeFundedWallet(cluster);
      const fundedAtMs = Date.now();
      const saved = join(cluster.layout.chain, "state.json");
      await seen("the chain to write its state to disk", async () => statSync(saved).mtimeMs > fundedAtMs);
      const sent = await send(wallet);
      const isOut = ({ txHash }: ApiTransfer) => txHash !== undefined;
      const { txHash } = await cluster.api.follow(sent.transfer, isOut, PATIENCE_MS);
      await cluster.kill("anvil");
      await cluster.restart("anvil");
      // until then the request's row may still name the block that the node has forgotten
      await seen("the receiver to be paid by the node that is back", async () => {
        return (await cluster.chain.balance(sent.to)) === AMOUNT;
      });
      const done = await cluster.api.confirmed(sent.transfer, PATIENCE_MS);
      expect(done.txHash).toBe(txHash);
      await expectLandedOnce([sent]);
    });
  });
};

const keyPassedOff = (): void => {
  describe("an orchestrator that tells of a key", () => {
    it("INV-8 cannot pass off one of its own as the signers': the wallet does not come to be", async () => {
      const database = asOrchestrator(cluster);
      cluster.pause("orchestrator");
      try {
        const asked = cluster.api.send("POST", "/wallets", { network: cluster.description.chain.network });
        const creating = () => database.rows(z.object({ id: keyIdSchema }), CREATING_KEYS);
        const [{ id: keyId }] = await waitUntil(async () => isNotEmpty(await creating()), {
          what: "a key to lie about",
          deadlineMs: PATIENCE_MS,
          pollMs: SEEN_POLL_MS,
        });
        const publicKey = "02".repeat(33);
        const own = generateKeyPairSync("ed25519").privateKey;
        const said = sign(null, attestationBytes({ keyId, scheme: "ECDSA", publicKey }), own);
        const attestations = cluster.description.signers.map(() => ({ signature: new Uint8Array(said) }));
        await database.transaction((connection) =>
          insertAttestedKey(connection, { keyId, publicKey, attestations }),
        );
        const details = { code: "KeyGenerationFailed", signers: ["signer-1", "signer-2", "signer-3"] };
        expect(await asked).toMatchObject({ status: 503, body: { error: { details } } });
      } finally {
        cluster.resume("orchestrator");
        await database.close();
      }
    });
  });
};

/** Tests in which every service is killed while it works, and an orchestrator lies. */
export const servicesKilled = (): void => {
  describe("services", () => {
    beforeAll(async () => {
      signers = await SignerAccess.open(cluster);
    });
    afterAll(() => signers?.close());

    killedAgain();
    gatewayKilled();
    databaseKilled();
    chainKilled();
    keyPassedOff();
  });
};
