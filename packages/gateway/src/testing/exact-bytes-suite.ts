import { psbtHex, type ScriptedNode } from "@conclave/chains/testing";
import type { WalletSample } from "@conclave/chains/testing/ledgers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf, transferOf } from "./bodies.ts";
import { codeOf, type FamilyWorld, statusOf } from "./family-world.ts";
import { ACTIVATED, ADDRESS } from "./world.ts";

const DATE = "2026-01-02T03:04:05.678Z";

/** A transfer that is accepted. */
interface AcceptedTransfer {
  readonly title: string;
  readonly body: object;
  /** expected facts of its asset in the answer */
  readonly asset: object;
  /** expected facts of the authorised transfer; by default those of the body, with the sender */
  readonly content?: object;
}

/** A request that is refused with 400 and a code. */
type RefusedBytes = readonly [code: string, title: string, bytes: string];

/** Requests under a policy of recipients, each with its expected status, or a matcher. */
interface Whitelist {
  readonly title: string;
  readonly addresses: readonly string[];
  readonly transfers: readonly (readonly [body: object, status: unknown])[];
  readonly bytes: readonly (readonly [bytes: string, status: unknown])[];
  readonly signatures: readonly (readonly [body: object, status: unknown])[];
}

/** A matcher of the status of a request that the policy does not block. */
export const PASSES: unknown = expect.not.stringMatching("Rejected");

/** One family for the suite. The world exists once tests run. */
export interface ExactBytesCase {
  readonly sample: WalletSample;
  readonly family: () => FamilyWorld;
  /** a key format that the family does not support */
  readonly otherKey: { readonly scheme: string; readonly curve: string };
  readonly transfers: readonly AcceptedTransfer[];
  readonly refusedTransfers: readonly (readonly [code: string, body: object])[];
  /** a transfer that is accepted while the node does not answer */
  readonly outage?: Omit<AcceptedTransfer, "title"> & { readonly node: () => Pick<ScriptedNode, "spoilt"> };
  /** a caller's own bytes that are accepted; the first of them also for signing */
  readonly bytes: readonly (readonly [title: string, bytes: string])[];
  readonly refusedBytes: readonly RefusedBytes[];
  /** a caller's own bytes that cost more than the network's cap */
  readonly dearBytes: string;
  /** a caller's own bytes that are not signed */
  readonly refusedSignatures: readonly RefusedBytes[];
  /** bodies of signatures that could be of a transaction, and one that cannot; for the world's wallet, or another one */
  readonly disguised?: {
    readonly asked: readonly object[];
    readonly plain: object;
    readonly path?: () => string;
  };
  /** transfers that land before holdings and history are read */
  readonly settled: readonly object[];
  readonly holdings: readonly object[];
  /** the movements of a native transfer of 9 and of the settled ones, the latest first */
  readonly history?: readonly object[];
  readonly whitelist: Whitelist;
  /** whether requests have a priority */
  readonly hasPriorities?: boolean;
  /** the place of the first bytes among the wallet's transactions, where the chain counts them */
  readonly place?: bigint;
  /** whether a request may replace one that waits */
  readonly isReplaceable?: boolean;
}

const itHasWallets = ({ family, sample, otherKey }: ExactBytesCase): void => {
  it("has the address of its key", () => {
    expect(family().wallet.address).toBe(sample.sender);
  });

  it("INV-9 is refused with KeyFormatMismatch or NetworkNotEnabled", async () => {
    const { world, network } = family();
    const mismatched = await world.call("POST", "/wallets", { network, signingKey: otherKey });
    expect(codeOf(mismatched)).toEqual([400, "KeyFormatMismatch"]);
    const elsewhere = await world.call("POST", "/wallets", { network: sample.mainNetwork });
    expect(codeOf(elsewhere)).toEqual([400, "NetworkNotEnabled"]);
  });

  if (sample.scheme !== "FROST-Ed25519") return;
  it("gets a key of FROST Ed25519 of its own", async () => {
    const { world, network } = family();
    const publicKey = Buffer.from(sample.key.publicKey).toString("hex");
    world.script({ kind: "Activated", publicKey, date: DATE });
    const { status, body } = await world.call("POST", "/wallets", { network });
    world.script(ACTIVATED);
    expect([status, body]).toMatchObject([
      200,
      { network, signingKey: { scheme: "EdDSA", curve: "ed25519", publicKey } },
    ]);
  });
};

const itTakesTransfers = ({ family, sample, transfers, refusedTransfers, outage }: ExactBytesCase): void => {
  it.each(transfers.map((each) => [each.title, each] as const))(
    "of %s is authorised with its sender, and shows its asset",
    async (_, { body, asset, content = { ...body, from: sample.sender } }) => {
      const { network, send, actOf } = family();
      const answer = await send(body);
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { network, status: "Pending", requestBody: body },
      ]);
      expect(answer.body).toHaveProperty("metadata", { asset });
      expect(await actOf(answer.body)).toMatchObject({
        version: 2,
        kind: "transfer",
        network,
        cosigners: [],
        transfer: content,
      });
    },
  );

  it.each(refusedTransfers)("INV-9 is refused with %s, and changes nothing: %j", async (code, body) => {
    const { world, send } = family();
    const before = await world.rows();
    expect(codeOf(await send(body))).toEqual([400, code]);
    expect(await world.rows()).toBe(before);
  });

  if (outage === undefined) return;
  it("is accepted while the node is away, with an asset of which the node would say more", async () => {
    const { spoilt } = outage.node();
    spoilt.set("", { status: 503, text: "" });
    const { status, body } = await family().send(outage.body);
    spoilt.clear();
    expect(status).toBe(200);
    expect(body).toHaveProperty("metadata", { asset: outage.asset });
  });
};

const itTakesBytes = ({ family, sample, bytes, refusedBytes, dearBytes }: ExactBytesCase): void => {
  it.each(bytes)("is accepted %s", async (_, given) => {
    const { network, broadcast, bodyOf } = family();
    const { status, body } = await broadcast(given);
    expect([status, body]).toMatchObject([200, { network, requestBody: bodyOf(given) }]);
  });

  it.each(refusedBytes)(
    "INV-9 is refused with %s when it is one %s, and changes nothing",
    async (code, _, given) => {
      const { world, broadcast } = family();
      const before = await world.rows();
      expect(codeOf(await broadcast(given))).toEqual([400, code]);
      expect(await world.rows()).toBe(before);
    },
  );

  it("INV-9 is refused when it costs more than the network's cap", async () => {
    expect(codeOf(await family().broadcast(dearBytes))).toEqual([422, "FeeAboveCap"]);
  });

  it("INV-9 is of no other template", async () => {
    const { world, path } = family();
    const others = {
      Psbt: { kind: "Transaction", transaction: dearBytes },
      Transaction: { kind: "Psbt", psbt: psbtHex() },
    };
    for (const body of [others[sample.bytesKind], { kind: "Evm", to: ADDRESS, value: "1" }]) {
      const answer = await world.call("POST", `${path}/transactions`, body);
      expect(codeOf(answer)).toEqual([400, "TransactionKindNotSupported"]);
    }
  });
};

const itTakesNoPlace = ({ family, sample, bytes, place }: ExactBytesCase): void =>
  it("INV-9 takes nothing's place, and has none that could be taken", async () => {
    const { world, path, send, broadcast } = family();
    const { id } = transferOf((await send({ ...sample.native, amount: "2000007" })).body);
    await world.database.execute(
      `update chain_requests set status = 'Broadcasted', unsigned_transaction = $2, signed_transaction = $2,
         sequence = $3, tx_hash = $1 where id = $1`,
      [id, Uint8Array.of(1), place],
    );
    for (const verb of ["speed-up", "cancel"]) {
      const answer = await world.call("POST", `${path}/transfers/${id}/${verb}`);
      expect([verb, ...codeOf(answer)]).toEqual([verb, 400, "TransactionKindNotSupported"]);
    }
    if (place === undefined) return;
    const [[, given] = ["", ""]] = bytes;
    expect(codeOf(await broadcast(given))).toEqual([400, "TransactionKindNotSupported"]);
  });

const itSignsBytes = ({ family, sample, bytes, refusedSignatures }: ExactBytesCase): void => {
  it("INV-3 of a transaction is authorised whole, for signers to read", async () => {
    const [[, given] = ["", ""]] = bytes;
    const { network, wallet, sign, bodyOf, signatureOf } = family();
    const { status, body } = await sign(bodyOf(given));
    expect(status).toBe(200);
    const kind = sample.bytesKind.toLowerCase();
    expect(await signatureOf(body)).toMatchObject({
      scheme: sample.scheme,
      walletId: wallet.id,
      content: {
        kind: "readable",
        family: sample.entryAt("http://127.0.0.1").family,
        content: {
          kind,
          network,
          [kind]: given.slice(2),
          ...(kind === "psbt" ? { from: sample.sender } : {}),
        },
      },
    });
  });

  it.each(refusedSignatures)(
    "INV-9 is refused with %s when it is of a transaction %s",
    async (code, _, given) => {
      const { sign, bodyOf } = family();
      expect(codeOf(await sign(bodyOf(given)))).toEqual([400, code]);
    },
  );

  it("INV-9 is of no kind that is EVM's", async () => {
    const answer = await family().sign({ kind: "Eip191", message: "00" });
    expect(codeOf(answer)).toEqual([400, "SignatureKindNotSupported"]);
  });
};

const itSignsNothingDisguised = (
  family: () => FamilyWorld,
  { asked, plain, path: pathOf }: NonNullable<ExactBytesCase["disguised"]>,
): void =>
  it("INV-3 is not of a message that may be a transaction, by the wallet or by its key", async () => {
    const { world, path: own, sign } = family();
    const path = pathOf?.() ?? own;
    const { body } = await world.call("GET", path);
    const { signingKey } = z.object({ signingKey: z.object({ id: z.string() }) }).parse(body);
    for (const from of [path, `/keys/${signingKey.id}`]) {
      for (const each of asked) {
        expect(codeOf(await sign(each, from))).toEqual([400, "TransactionUnreadable"]);
      }
    }
    expect((await sign(plain, path)).status).toBe(200);
  });

const itIsRead = ({ family, sample, settled, holdings, history, hasPriorities }: ExactBytesCase): void => {
  const fee = sample.fee ?? "282";
  it("are its coin, and the tokens that transfers have moved", async () => {
    const { world, path, settle } = family();
    for (const body of settled) await settle(body, fee);
    const { status, body } = await world.call("GET", `${path}/assets`);
    expect([status, body]).toMatchObject([200, { assets: holdings }]);
    expect((await world.call("GET", `${path}/nfts`)).body).toMatchObject({ nfts: [] });
  });

  if (history !== undefined) {
    it("is its history", async () => {
      const { world, path, settle } = family();
      await settle({ ...sample.native, amount: "9" }, fee);
      const { body } = await world.call("GET", `${path}/history`);
      expect(body).toMatchObject({ items: history });
    });
  }

  if (hasPriorities === true) return;
  it("INV-9 are no fees by priority, which the network does not take", async () => {
    const { world, network } = family();
    const answer = await world.call("GET", `/networks/fees?network=${network}`);
    expect([answer.status, errorOf(answer.body).details.code]).toEqual([400, "PriorityNotSupported"]);
  });
};

const itIsJudged = ({ family, sample, whitelist }: ExactBytesCase): void => {
  const { title, addresses, transfers, bytes, signatures } = whitelist;
  it(`compare recipients of transfers and of a caller's own bytes; ${title}`, async () => {
    const { under, send, broadcast, sign } = family();
    await under("TransactionRecipientWhitelist", { addresses }, async () => {
      for (const [body, status] of transfers)
        expect([body, await statusOf(send(body))]).toEqual([body, status]);
      for (const [given, status] of bytes) {
        expect([given, await statusOf(broadcast(given))]).toEqual([given, status]);
      }
      for (const [body, status] of signatures)
        expect([body, await statusOf(sign(body))]).toEqual([body, status]);
    });
  });

  it("trigger on amounts of which nobody knows the worth", async () => {
    const { under, send } = family();
    await under("TransactionAmountLimit", { limit: 1_000_000, currency: "USD" }, async () => {
      expect(await statusOf(send({ ...sample.native, amount: "2000012" }))).toBe("Rejected");
    });
  });
};

/**
 * Tests requests of one family at the gateway: its wallets, transfers, a caller's own bytes, signatures, holdings and
 * policies.
 */
export const describeExactBytes = (given: ExactBytesCase): void => {
  const { title } = given.sample;
  describe(`a wallet on ${title}`, () => itHasWallets(given));
  describe(`a transfer on ${title}`, () => itTakesTransfers(given));
  describe(`a transaction of a caller's making on ${title}`, () => {
    itTakesBytes(given);
    if (given.isReplaceable !== true) itTakesNoPlace(given);
  });
  describe(`a signature for ${title}`, () => {
    itSignsBytes(given);
    if (given.disguised !== undefined) itSignsNothingDisguised(given.family, given.disguised);
  });
  describe(`the holdings of a wallet on ${title}`, () => itIsRead(given));
  describe(`INV-8 policies on ${title}`, () => itIsJudged(given));
};
