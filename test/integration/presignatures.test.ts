import { createPublicKey, verify } from "node:crypto";
import { loadRoster } from "@conclave/platform";
import { type ApiWallet, type Cluster, forgetState, type StockReport, waitUntil } from "@conclave/testbed";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { recoverAddress, verifyMessage } from "ethers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshReceiver, makeFundedWallet } from "./funded-wallet.ts";
import { recordsOf } from "./known-secrets.ts";
import { remembersFor, signedCount } from "./lying-signer.ts";
import { PATIENCE_MS } from "./patience.ts";
import { type SigningRecord, signingOf, storeAlarmOf } from "./service-log.ts";
import { SignerAccess } from "./signer-access.ts";
import { startCluster, stateFolder } from "./throw-away-cluster.ts";

const INDICES = [1, 2, 3, 4, 5];
const THRESHOLD = 3;

/** The highest count that fits the wire format. */
const COUNT_MAX = 2 ** 48 - 1;

const HASH = `0x${"5a".repeat(32)}`;
const signedSchema = z.object({ signature: z.object({ encoded: z.string() }) });

const state = stateFolder();

let cluster: Cluster;
let wallet: ApiWallet;
beforeAll(async () => {
  cluster = await startCluster({
    signers: INDICES.length,
    threshold: THRESHOLD,
    presignatures: 2,
    state,
    disposable: false,
  });
  wallet = await makeFundedWallet(cluster);
});
afterAll(async () => {
  await cluster?.stop();
  forgetState(state);
});

const pay = async (): Promise<string> => {
  const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to: freshReceiver(), amount: "1" });
  return (await cluster.api.confirmed(asked, PATIENCE_MS)).id;
};

const sign = async (body: object): Promise<string> => {
  const answer = await cluster.api.send("POST", `/wallets/${wallet.id}/signatures`, body);
  return signedSchema.parse(answer.body).signature.encoded;
};

const leavesSome = ({ sets }: StockReport, dead: readonly number[]): boolean =>
  sets.some(({ signers, ready }) => ready > 0 && !signers.some((index) => dead.includes(index)));

const stocked = (what: string, isThere: (stock: StockReport) => boolean): Promise<StockReport> =>
  waitUntil(
    async () => {
      const stock = await cluster.stock();
      return stock !== undefined && isThere(stock) ? stock : undefined;
    },
    { what, deadlineMs: PATIENCE_MS, pollMs: 50 },
  );

/** On a busy machine an attempt may be too late; three such payments in a row are no accident. */
const PAYMENTS = 3;

/**
 * Pays until a transfer is signed from the stock at its first attempt. @returns how it was signed, and the attempts of all
 * transfers
 */
const signAtOnce = async (): Promise<{ readonly signing: SigningRecord; readonly attempts: number }> => {
  let attempts = 0;
  for (let paid = 0; paid < PAYMENTS; paid += 1) {
    const signing = signingOf(cluster.layout, await pay());
    expect(signing.path).toBe("pooled");
    attempts += signing.attempts;
    if (signing.attempts === 1) return { signing, attempts };
  }
  return expect.fail("no transfer is signed at its first attempt");
};

const partyOf = (index: number): PartyIndex => partyIndex(index) ?? expect.fail("it is in the roster");

/** The signers' current status, in their order. */
const statuses = async () => {
  const access = await SignerAccess.open(cluster);
  try {
    return [...(await access.statuses()).values()];
  } finally {
    access.close();
  }
};

/** The presignatures that the live signers spent since their start, in total. */
const consumed = async (): Promise<number> =>
  (await cluster.signers()).reduce((sum, { status }) => sum + (status?.pool.consumed ?? 0), 0);

/** The same as each signer says itself, at once. */
const consumedNow = async (): Promise<number> =>
  (await statuses()).reduce((sum, { pool }) => sum + pool.consumed, 0);

/** Waits until the signers count this many spent presignatures; their status lags behind their acts. */
const spent = (count: number): Promise<true> =>
  waitUntil(async () => ((await consumed()) >= count ? true : undefined), {
    what: `signers to count ${count} parts of presignatures as spent`,
    deadlineMs: PATIENCE_MS,
    pollMs: 50,
  });

describe("a cluster that keeps presignatures", () => {
  it("stocks the keys in use so that any one signer may die", async () => {
    const stock = await stocked("every signer to be spared by some set", (held) =>
      INDICES.every((index) => leavesSome(held, [index])),
    );
    for (const { signers, keyId } of stock.sets) {
      expect(signers).toHaveLength(THRESHOLD);
      expect(keyId).toBe(wallet.signingKey.id);
    }
  });

  it("signs with one of them, and fills the gap again", async () => {
    const before = await stocked("a full stock", ({ ready }) => ready === 2 * INDICES.length);
    const { attempts } = await signAtOnce();
    await spent(THRESHOLD);
    expect(await consumed()).toBeLessThanOrEqual(attempts * THRESHOLD);
    await stocked("the stock to be full again", ({ ready }) => ready >= before.ready - 1);
  });

  it("signs a message with one of them", async () => {
    const before = await consumed();
    const signature = await sign({ kind: "Message", message: "0x48656c6c6f" });
    expect(verifyMessage("Hello", signature)).toBe(wallet.address);
    await spent(before + THRESHOLD);
  });

  it("P7 touches none of them for a hash", async () => {
    const before = await consumedNow();
    expect(recoverAddress(HASH, await sign({ kind: "Hash", hash: HASH }))).toBe(wallet.address);
    expect(await consumedNow()).toBe(before);
  });

  it("P6 loses nothing of its stock to a lying signer that remembers counts up to 2^48-1 for the others", async () => {
    const before = await statuses();
    for (const signer of [1, 3, 4, 5].map(partyOf)) {
      for (const count of [1_000_000, COUNT_MAX]) {
        const own = await signedCount(cluster, { by: 2, signer, count });
        for (const signature of [own, new Uint8Array(64)])
          expect(await remembersFor(cluster, 2, signer, { count, signature })).toBe("OK");
      }
    }
    expect((await statuses()).map(({ pool }) => [pool.burnt, pool.rolledBack])).toEqual(
      before.map(({ pool }) => [pool.burnt, 0]),
    );
    await signAtOnce();
  });

  it("signs at once while one signer is dead", async () => {
    // earlier signatures used some of the stock, which is refilled while nothing is signed
    await stocked("a set that spares signer 3", (held) => leavesSome(held, [3]));
    await cluster.kill("signer-3");
    const { signing } = await signAtOnce();
    expect(signing.quorum).not.toContain(3);
  });

  it("signs with the three that are left though no set in stock was theirs, and stocks theirs from then on", async () => {
    await cluster.kill("signer-1");
    expect(signingOf(cluster.layout, await pay())).toMatchObject({ quorum: [2, 4, 5] });
    await stocked("a stock of the three that are left", (held) => leavesSome(held, [1, 3]));
    await Promise.all(["signer-1", "signer-3"].map((name) => cluster.restart(name)));
    await cluster.ready();
  });

  it("INV-2 has new sets with signers that were killed: their presignatures are gone with them", async () => {
    await stocked("sets with the signers that came back", ({ sets }) =>
      [1, 3].every((index) => sets.some(({ signers, ready }) => ready > 0 && signers.includes(index))),
    );
    expect(signingOf(cluster.layout, await pay())).toMatchObject({ path: "pooled" });
  });

  it("P6 burns a signer's stock for its own signature on a higher count, and its log proves the alarm to anybody", async () => {
    const [signer, count] = [partyOf(4), 1_000_000];
    const signature = await signedCount(cluster, { by: 4, signer, count });
    expect(await remembersFor(cluster, 2, signer, { count, signature })).toBe("OK");
    await expect
      .poll(async () => (await statuses()).map(({ pool }) => pool.rolledBack))
      .toEqual([0, 0, 0, 1, 0]);
    const { shownBy, held, signed } = storeAlarmOf(cluster.layout, 4) ?? expect.fail("it is in the log");
    expect({ shownBy, count: signed.count, clusterId: signed.clusterId, signer: signed.signer }).toEqual({
      shownBy: 2,
      count,
      clusterId: cluster.description.clusterId,
      signer,
    });
    expect(held).toBeLessThan(count);
    const { signers } = await loadRoster(cluster.layout.roster);
    const x = Buffer.from(signers[3]?.identityKey ?? "", "hex").toString("base64url");
    const openssl = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    expect(
      verify(null, Buffer.from(signed.bytes, "hex"), openssl, Buffer.from(signed.signature, "hex")),
    ).toBe(true);
  });

  it("INV-2 has tombstones of what was spent in the stores, and no presignature", async () => {
    await cluster.stop();
    for (const index of INDICES) {
      const names = (await recordsOf(cluster.layout.signer(index))).map(({ record }) => record);
      expect(names.filter((name) => name.startsWith("presignature/"))).toEqual([]);
      expect(names.filter((name) => name.startsWith("spent/")).length).toBeGreaterThan(0);
    }
  });
});
