import type { ScriptedNode } from "@conclave/chains/testing";
import type { WalletSample } from "@conclave/chains/testing/ledgers";
import { type ChainRequest, type FamilyContent, isPlainText, type KeyScheme } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { followOnce } from "./follow-once.ts";
import type { WalletKey, WalletWorld } from "./wallet-world.ts";

/** A transfer that is signed and lands. */
interface Landing {
  readonly title: string;
  readonly transfer: FamilyContent;
  /** the wallet that pays; the sample's by default */
  readonly wallet?: readonly [KeyScheme, WalletKey];
  /** for each signature, its scheme and the length of the signed bytes */
  readonly signables: readonly (readonly [scheme: string, length: unknown])[];
}

/** A node that fails to accept signed bytes, and accepts the same bytes later. */
interface Resending {
  readonly title: string;
  /** Each makes the node answer in another bad way. */
  readonly failures: readonly (() => unknown)[];
  /** Makes the node accept the bytes, or answer that it has them. */
  readonly takes: (request: ChainRequest) => unknown;
  /** how often the node received the bytes in total */
  readonly posts: number;
  /** a part of the request's reason while it waits */
  readonly reason?: string;
}

/** How a transaction that has not landed becomes invalid for ever. */
interface Expiry {
  /** the moment of its death, after "only when" */
  readonly title: string;
  /** Prepares the ledger before the request is built. */
  readonly prepare?: () => unknown;
  /** Stops the ledger from including transactions, and brings it to the last moment before the death. */
  readonly approach: (request: ChainRequest) => unknown;
  /** Brings the ledger to the death. */
  readonly pass: () => unknown;
  /** Lets the ledger include transactions again. */
  readonly recover?: () => unknown;
}

/** A transaction that the chain executes and reverts. */
interface Reverting {
  readonly title: string;
  readonly transfer: FamilyContent;
  readonly land: (request: ChainRequest) => unknown;
  /** the expected facts of the failed request */
  readonly failed: object;
}

/** A node that shows a transaction's landing only after its end. */
interface LateLanding {
  readonly title: string;
  /** Lands the transaction, and lets its deadline pass. @returns the expected facts of the confirmed request */
  readonly land: (request: ChainRequest) => Promise<object> | object;
  /** Lets the node show it. */
  readonly show?: () => unknown;
}

/** A node that answers with text that PostgreSQL cannot store, or that is far too long. */
interface HostileWords {
  readonly transfer: FamilyContent;
  /** Reverts a transaction of that transfer with such text. */
  readonly revert: (request: ChainRequest) => unknown;
  /** a part of the request's reason after that */
  readonly reason: string;
  /** Each makes the node fail with such text. */
  readonly failures: readonly (() => unknown)[];
}

/** A node that is away. */
interface Outage {
  readonly begin: () => unknown;
  readonly end: () => unknown;
  /** a part of the request's reason during the outage */
  readonly reason: string;
}

/** The outage of a node whose answers a test replaces. */
export const outageOf = (node: () => Pick<ScriptedNode, "spoilt">): Outage => ({
  begin: () => node().spoilt.set("", { status: 503, text: "" }),
  end: () => node().spoilt.clear(),
  reason: "does not answer",
});

/** The transfers and the ledger of one family for the suite. The world exists once tests run. */
export interface TransferCase {
  readonly sample: WalletSample;
  readonly world: () => WalletWorld;
  /** Gives the wallets money before each test. */
  readonly fund?: () => unknown;
  readonly landings: readonly Landing[];
  /** the place of the wallet's first transaction; undefined where the chain has no places */
  readonly place?: bigint;
  /** The signed transactions that the node received, in hex. */
  readonly posted: () => readonly string[];
  /** Lets the node show a request's transaction that is not final. */
  readonly appear?: (request: ChainRequest) => unknown;
  /** Puts a request's transaction into a final block. @returns expected facts of the confirmed request */
  readonly land: (request: ChainRequest) => Promise<object> | object;
  /** whether transactions of one wallet land in any order */
  readonly isIndependent?: boolean;
  readonly impossible: {
    readonly prepare?: () => unknown;
    readonly transfer: FamilyContent;
    /** the whole reason, or a matcher */
    readonly reason: unknown;
  };
  readonly outage: Outage;
  readonly resendings?: readonly Resending[];
  readonly expiry?: Expiry;
  readonly reverting?: Reverting;
  readonly lateLanding?: LateLanding;
  readonly hostileWords?: HostileWords;
}

/** The content of an authorised transfer of a sample. */
export const contentOf = ({ sender }: WalletSample, transfer: { readonly kind: string }): FamilyContent => ({
  ...transfer,
  from: sender,
});

const hexOf = ({ signedTransaction }: ChainRequest): string =>
  Buffer.from(signedTransaction ?? expect.fail("it is not signed")).toString("hex");

const itIsConfirmed = (given: TransferCase): void => {
  it.each(given.landings.map((each) => [each.title, each] as const))(
    "is signed, handed over and confirmed with the fee that it paid: %s",
    async (_, { transfer, wallet, signables }) => {
      const world = given.world();
      if (wallet !== undefined) await world.enterWallet(...wallet);
      await given.fund?.();
      const { id } = await world.enter(transfer);
      expect(await world.carry(id)).toEqual({ kind: "Done" });
      expect(world.asked[0]?.signables.map(({ scheme, bytes }) => [scheme, bytes.length])).toEqual(signables);
      const sent = await world.read(id);
      expect(sent.sequence).toBe(given.place);
      await given.appear?.(sent);
      await followOnce(world.handler);
      expect((await world.read(id)).status).toBe("Broadcasted");
      expect(given.posted()).toEqual([hexOf(sent)]);
      const landed = await given.land(sent);
      await followOnce(world.handler);
      expect(await world.read(id)).toMatchObject({ status: "Confirmed", ...landed });
    },
  );
};

const itFailsOrWaits = (given: TransferCase, native: FamilyContent): void => {
  it("that is impossible has failed in words, and nothing was signed", async () => {
    const world = given.world();
    const { prepare, transfer, reason } = given.impossible;
    await prepare?.();
    const { id } = await world.enter(transfer);
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect(await world.read(id)).toMatchObject({ status: "Failed", reason });
    expect(world.asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    const world = given.world();
    const { begin, end, reason } = given.outage;
    await given.fund?.();
    await begin();
    const { id } = await world.enter(native);
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining(reason),
    });
    await end();
    await world.carry(id);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });
};

const itIsIndependent = (given: TransferCase, native: FamilyContent): void =>
  it("INV-4 does not wait for others of its wallet: the very same payment twice is two transactions", async () => {
    const world = given.world();
    const [first, second] = [await world.enter(native), await world.enter(native)];
    await world.carry(second.id);
    await world.carry(first.id);
    const [one, other] = [await world.read(first.id), await world.read(second.id)];
    expect([one.status, other.status]).toEqual(["Broadcasted", "Broadcasted"]);
    expect(one.unsignedTransaction).not.toEqual(other.unsignedTransaction);
    expect(one.txHash).not.toBe(other.txHash);
  });

const itIsResent = (given: TransferCase, native: FamilyContent): void =>
  it.each((given.resendings ?? []).map((each) => [each.title, each] as const))(
    "INV-4 is sent again, the very same bytes, when %s",
    async (_, { failures, takes, posts, reason = "" }) => {
      const world = given.world();
      const { id } = await world.enter(native);
      for (const fails of failures) {
        await fails();
        expect(await world.carry(id)).toMatchObject({ kind: "Again" });
      }
      const waiting = await world.read(id);
      expect(waiting.reason).toContain(reason);
      await takes(waiting);
      expect(await world.carry(id)).toEqual({ kind: "Done" });
      expect([world.asked.length, given.posted().length]).toEqual([1, posts]);
      expect(new Set(given.posted())).toEqual(new Set([hexOf(waiting)]));
      expect((await world.read(id)).signedTransaction).toEqual(waiting.signedTransaction);
    },
  );

const itIsBuiltAgain = (given: TransferCase, expiry: Expiry, native: FamilyContent): void =>
  it(`INV-4 is built again only when ${expiry.title}, and the authority says so`, async () => {
    const world = given.world();
    await expiry.prepare?.();
    const { id } = await world.enter(native);
    await world.carry(id);
    const first = await world.read(id);
    await expiry.approach(first);
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    await expiry.pass();
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([{ requestId: id, transactions: 1 }]);
    expect((await world.read(id)).txHash).toBe(first.txHash);
    await world.speak();
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      deadTransactions: 1,
      txHash: undefined,
    });
    await expiry.recover?.();
    await world.carry(id);
    const { status, txHash, sequence } = await world.read(id);
    expect([status, txHash === first.txHash, sequence]).toEqual(["Broadcasted", false, given.place]);
    expect(world.asked.map(({ dead }) => dead)).toEqual([undefined, expect.anything()]);
  });

const itIsReverted = (given: TransferCase, { title, transfer, land, failed }: Reverting): void =>
  it(`that ${title} has failed, with the chain's words and the fee that it paid`, async () => {
    const world = given.world();
    const { id } = await world.enter(transfer);
    await world.carry(id);
    await land(await world.read(id));
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({ status: "Failed", ...failed });
    expect(world.asked).toHaveLength(1);
  });

const itIsFoundLate = (
  given: TransferCase,
  { title, land, show }: LateLanding,
  native: FamilyContent,
): void =>
  it(`INV-4 is confirmed, and not built again, when ${title}`, async () => {
    const world = given.world();
    const { id } = await world.enter(native);
    await world.carry(id);
    const landed = await land(await world.read(id));
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    await show?.();
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({ status: "Confirmed", ...landed });
  });

const itTakesAnyWords = (
  given: TransferCase,
  { transfer, revert, reason, failures }: HostileWords,
  native: FamilyContent,
): void => {
  it("INV-5 ends, and lets others end, when the chain reverts it with words that nobody can store", async () => {
    const world = given.world();
    const [first, second] = [await world.enter(transfer), await world.enter(native)];
    for (const { id } of [first, second]) await world.carry(id);
    await revert(await world.read(first));
    await given.land(await world.read(second));
    await followOnce(world.handler);
    const [reverted, other] = [await world.read(first), await world.read(second)];
    expect([reverted.status, other.status]).toEqual(["Failed", "Confirmed"]);
    expect(reverted.reason).toContain(reason);
    expect(isPlainText(reverted.reason ?? "\0")).toBe(true);
  });

  it("INV-5 waits, and says so, while a node is away with words that nobody can store", async () => {
    const world = given.world();
    const { id } = await world.enter(native);
    for (const fails of failures) {
      await fails();
      expect(await world.carry(id)).toMatchObject({ kind: "Again" });
      const { reason = "\0" } = await world.read(id);
      expect([reason.length < 1_100, isPlainText(reason)]).toEqual([true, true]);
    }
  });
};

/**
 * Tests transfers of one family, from the request that a gateway stored to the block, through every step of the
 * orchestrator.
 */
export const describeTransfers = (given: TransferCase): void => {
  describe(`a transfer on ${given.sample.title}`, () => {
    const native = contentOf(given.sample, given.sample.native);
    itIsConfirmed(given);
    itFailsOrWaits(given, native);
    if (given.isIndependent === true) itIsIndependent(given, native);
    if (given.resendings !== undefined) itIsResent(given, native);
    if (given.expiry !== undefined) itIsBuiltAgain(given, given.expiry, native);
    if (given.reverting !== undefined) itIsReverted(given, given.reverting);
    if (given.lateLanding !== undefined) itIsFoundLate(given, given.lateLanding, native);
    if (given.hostileWords !== undefined) itTakesAnyWords(given, given.hostileWords, native);
  });
};
