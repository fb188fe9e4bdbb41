import { createHash } from "node:crypto";
import { type ChainNode, FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { RECIPIENT, TEST_SECRET_KEY } from "@conclave/chains/testing";
import type { AskedForRequest, SignedForRequest } from "@conclave/cluster";
import { type ChainWallet, fail, ok, problem, type Transfer, type TransferId } from "@conclave/custody";
import { listUnsure, makeLogger, readTransfer } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import {
  bytesToHex,
  createPublicClient,
  getAddress,
  http,
  keccak256,
  type PublicClient,
  parseEther,
  parseTransaction,
} from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AskedSigners, SigningRequest } from "../signing-port.ts";
import { atNonce, withOtherFees } from "../testing/other-fees.ts";
import { signedBy } from "../testing/plain-signers.ts";
import { carryToItsEnd, NOT_BUILT, NOT_SIGNED, putBack, signAnew } from "../testing/put-back.ts";
import { startWorld, type World } from "../testing/world.ts";
import { carryOutRequest, type RequestHandler } from "./work.ts";

const SIGNERS = 3;
const THRESHOLD = 2;
const AMOUNT = parseEther("1");
const publicKey = secp256k1.getPublicKey(Buffer.from(TEST_SECRET_KEY, "hex"), true);

let world: World;
let wallet: ChainWallet;
let client: PublicClient;
let handler: RequestHandler;
/** unsigned bytes by request, the latest last */
let remembered: Map<string, readonly Uint8Array[]>;
/** replaces the signers' answers about a request */
let sayInstead: ((requestId: string) => readonly SignedForRequest[] | undefined) | undefined;
/** number of calls to sign */
let signings: number;

const said = (transactions: readonly Uint8Array[]): SignedForRequest => ({
  isBound: transactions.length > 0,
  isWhole: true,
  transactions,
});

const askSigned = ({ requestId }: AskedForRequest): AskedSigners => {
  const all = Array.from({ length: SIGNERS }, () => said(remembered.get(requestId) ?? []));
  const answers = (sayInstead?.(requestId) ?? all).map(async (answer, at) => {
    // the last signer answers later than a quorum
    if (at === SIGNERS - 1) await new Promise((resolve) => setImmediate(resolve));
    return answer;
  });
  return { of: SIGNERS, threshold: THRESHOLD, remembering: THRESHOLD, answers };
};

/** Signs as signers that remember: another transaction of the request must exclude each earlier one. */
const sign = async ({ authorisation, unsigned, signables }: SigningRequest) => {
  signings += 1;
  const act = JSON.parse(Buffer.from(authorisation.payload).toString("utf8"));
  const family = FAMILIES.familyOf(world.network.network);
  const exclusionOf = (bytes: Uint8Array): Uint8Array => {
    const read = family.read(world.network, bytes, act);
    return read.ok ? read.value.exclusion : expect.fail(read.problem.message);
  };
  const before = remembered.get(act.requestId) ?? [];
  const isKnown = before.some((each) => Buffer.compare(each, unsigned) === 0);
  if (!isKnown && !before.every((each) => family.excludes(exclusionOf(each), exclusionOf(unsigned)))) {
    return { kind: "failed", problem: problem("TransactionNotExcluding") } as const;
  }
  remembered.set(act.requestId, isKnown ? before : [...before, unsigned]);
  return signedBy(signables.map(({ bytes }) => signAnew(bytes)));
};

beforeEach(async () => {
  world = await startWorld();
  await world.anvil.control.setAutomine(false);
  wallet = await world.wallet();
  client = createPublicClient({ transport: http(world.anvil.rpcUrl), cacheTime: 0 });
  remembered = new Map();
  [sayInstead, signings] = [undefined, 0];
  const { network } = world.network;
  const chain = { family: FAMILIES.familyOf(network), node: NODES.connect(world.network) };
  handler = {
    database: world.orchestratorDatabase,
    chains: new Map([[network, chain]]),
    quorum: { shortage: () => undefined, isBegun: () => false, askSigned, sign },
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
    broadcasted: () => undefined,
    signal: () => undefined,
  };
});
afterEach(() => world.stop());

const chainOf = () => handler.chains.get(world.network.network) ?? expect.fail("it is not served");
const read = async (id: TransferId): Promise<Transfer> =>
  (await readTransfer(world.database, id)) ?? expect.fail("it is gone");
const carry = (id: TransferId) => carryOutRequest(handler, id);
const mine = (blocks = 1) => world.anvil.control.mine({ blocks });
const paid = () => client.getBalance({ address: getAddress(RECIPIENT) });
const goBack = (transfer: Pick<Transfer, "id">, to: string) => putBack(world, to, transfer);
const toItsEnd = (id: TransferId) => carryToItsEnd(world, handler, id);

describe("INV-4 INV-5 a database that was put back to before a transfer was signed", () => {
  it.each([
    ["to before it was built", NOT_BUILT],
    ["to when it was built", `${NOT_SIGNED}, status = 'Executing'`],
    ["to when it waited for signers", `${NOT_SIGNED}, status = 'Executing', reason = 'waiting for signers'`],
  ])("%s, when it has landed: it is Confirmed under its hash", async (_, to) => {
    const { id } = await world.transfer(wallet, AMOUNT);
    const before = await toItsEnd(id);
    expect(before.status).toBe("Confirmed");
    const had = await paid();
    await goBack(before, to);
    const after = await toItsEnd(id);
    const { txHash, blockHash, fee, sequence, details } = before;
    expect(after).toMatchObject({ status: "Confirmed", txHash, blockHash, fee, sequence, details });
    expect(await paid()).toBe(had);
  });

  it("when the first one waits to land: it is Confirmed under that one's hash", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    await carry(id);
    const before = await read(id);
    const had = await paid();
    await goBack(before, NOT_BUILT);
    await carry(id);
    const after = await toItsEnd(id);
    expect(after).toMatchObject({ status: "Confirmed", txHash: before.txHash });
    expect(await paid()).toBe(had + AMOUNT);
  });

  it("when the node has lost the first one: the second one lands", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    await carry(id);
    const before = await read(id);
    const had = await paid();
    await world.anvil.control.dropTransaction({ hash: `0x${before.txHash?.slice(2)}` });
    await goBack(before, NOT_BUILT);
    expect(await toItsEnd(id)).toMatchObject({ status: "Confirmed", sequence: before.sequence });
    expect(await paid()).toBe(had + AMOUNT);
  });

  it("does not fail what was paid because it could not be paid again", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    const before = await toItsEnd(id);
    await world.anvil.control.setBalance({ address: getAddress(wallet.address), value: 1n });
    await goBack(before, NOT_BUILT);
    expect(await toItsEnd(id)).toMatchObject({ status: "Confirmed", txHash: before.txHash });
  });

  it.each([
    ["nothing", () => NOT_BUILT],
    [
      "the other version",
      (begun: Uint8Array) =>
        `${NOT_SIGNED}, status = 'Executing', unsigned_transaction = '\\x${Buffer.from(begun).toString("hex")}'`,
    ],
  ])(
    "when signers first name another version than the one that landed, and the row has %s: it is what landed",
    async (_, to) => {
      const { id } = await world.transfer(wallet, AMOUNT);
      const before = await toItsEnd(id);
      const landed = before.unsignedTransaction ?? expect.fail("nothing was signed");
      const had = await paid();
      // some signers began with other fees, before the version that landed
      const begun = withOtherFees(landed);
      remembered.set(id, [begun, landed]);
      sayInstead = () => [said([begun]), said([begun, landed]), said([landed])];
      await goBack(before, to(begun));
      expect(await toItsEnd(id)).toMatchObject({ status: "Confirmed", txHash: before.txHash });
      expect(await paid()).toBe(had);
    },
  );

  it("when another version than the first one that signers name waits to land: it waits for that one", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    await carry(id);
    const before = await read(id);
    const waiting = before.unsignedTransaction ?? expect.fail("nothing was signed");
    const begun = withOtherFees(waiting);
    remembered.set(id, [begun, waiting]);
    sayInstead = () => [said([begun]), said([begun, waiting]), said([waiting])];
    for (const to of [NOT_BUILT, `${NOT_SIGNED}, status = 'Executing'`]) {
      await goBack(before, to);
      await carry(id);
      expect(await read(id)).toMatchObject({
        signedTransaction: undefined,
        reason: expect.stringContaining("waits in its pool"),
      });
    }
    expect(await listUnsure(world.database, 10)).toMatchObject([{ id }]);
    const had = await paid();
    await mine();
    expect(await toItsEnd(id)).toMatchObject({ status: "Confirmed", txHash: before.txHash });
    expect(await paid()).toBe(had + AMOUNT);
  });

  it("when a signer that is slower than a quorum alone names the version that landed: it is that one", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    const before = await toItsEnd(id);
    const landed = before.unsignedTransaction ?? expect.fail("nothing was signed");
    const begun = withOtherFees(landed);
    remembered.set(id, [begun, landed]);
    sayInstead = () => [said([begun]), said([begun]), said([landed])];
    await goBack(before, NOT_BUILT);
    expect(await toItsEnd(id)).toMatchObject({ status: "Confirmed", txHash: before.txHash });
  });

  it("when another request of the wallet has the place of what signers name: it waits, and fails once that one is final", async () => {
    const first = await world.transfer(wallet, AMOUNT);
    const { unsignedTransaction: landed } = await toItsEnd(first.id);
    const { id } = await world.transfer(wallet, AMOUNT);
    sayInstead = () =>
      Array.from({ length: SIGNERS }, () => said([withOtherFees(landed ?? expect.fail("none"))]));
    const { family, node } = chainOf();
    const young: ChainNode = {
      ...node,
      sight: async (...asked) => {
        const sighting = await node.sight(...asked);
        const isIncluded = sighting.ok && sighting.value.kind === "included";
        return isIncluded ? ok({ ...sighting.value, isFinal: false }) : sighting;
      },
    };
    const chains = new Map([[world.network.network, { family, node: young }]]);
    for (let look = 0; look < 3; look += 1) await carryOutRequest({ ...handler, chains }, id);
    expect(await read(id)).toMatchObject({
      status: "Executing",
      signedTransaction: undefined,
      reason: expect.stringContaining("has the place"),
    });
    await carry(id);
    expect(await read(id)).toMatchObject({
      status: "Failed",
      signedTransaction: undefined,
      reason: `${first.id} has landed in its place; this one can never land`,
    });
  });

  it("when another request has the place of one of several versions for good: another version of it is taken over", async () => {
    const first = await world.transfer(wallet, AMOUNT);
    const { unsignedTransaction: landed = expect.fail("none") } = await toItsEnd(first.id);
    const { id } = await world.transfer(wallet, AMOUNT);
    const [lost, free] = [withOtherFees(landed), atNonce(landed, 1)];
    sayInstead = (asked) =>
      asked === id ? [said([free, lost]), said([lost]), said([free, lost])] : undefined;
    expect(await toItsEnd(id)).toMatchObject({ status: "Confirmed", sequence: 1n });
  });

  it("when the one version whose place is free is not signed at first: it stays, and no lost one is tried", async () => {
    const first = await world.transfer(wallet, AMOUNT);
    const { unsignedTransaction: landed = expect.fail("none") } = await toItsEnd(first.id);
    const { id } = await world.transfer(wallet, AMOUNT);
    const [lost, free] = [withOtherFees(landed), atNonce(landed, 1)];
    sayInstead = (asked) =>
      asked === id ? Array.from({ length: SIGNERS }, () => said([free, lost])) : undefined;
    const tried: number[] = [];
    const signLate: typeof sign = async (request) => {
      tried.push(parseTransaction(bytesToHex(request.unsigned)).nonce ?? 0);
      return tried.length === 1 ? { kind: "failed", problem: problem("SessionExpired") } : sign(request);
    };
    handler = { ...handler, quorum: { ...handler.quorum, sign: signLate } };
    expect(await toItsEnd(id)).toMatchObject({ status: "Confirmed", sequence: 1n });
    expect(tried).toEqual([1, 1]);
  });

  it("when a version whose place is free is named by too few signers: it does not fail", async () => {
    const first = await world.transfer(wallet, AMOUNT);
    const { unsignedTransaction: landed = expect.fail("none") } = await toItsEnd(first.id);
    const { id } = await world.transfer(wallet, AMOUNT);
    const [lost, free] = [withOtherFees(landed), atNonce(landed, 1)];
    sayInstead = (asked) => (asked === id ? [said([lost]), said([lost]), said([free])] : undefined);
    for (let look = 0; look < 3; look += 1) await carry(id);
    expect(await read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("has the place"),
    });
  });

  it("when its row has another place than what signers name: both are searched", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    const before = await toItsEnd(id);
    const landed = before.unsignedTransaction ?? expect.fail("nothing was signed");
    const had = await paid();
    const [begun, elsewhere] = [withOtherFees(landed), atNonce(landed, 1)];
    remembered.set(id, [begun]);
    for (const [sequence, bytes] of [
      [1n, elsewhere],
      [0n, begun],
    ] as const) {
      const hex = Buffer.from(bytes).toString("hex");
      // signers name a version in another place than the recorded one
      sayInstead = () => Array.from({ length: SIGNERS }, () => said([sequence === 1n ? begun : elsewhere]));
      signings = 0;
      await goBack(
        before,
        `${NOT_SIGNED}, status = 'Executing', sequence = ${sequence}, unsigned_transaction = '\\x${hex}'`,
      );
      expect(await toItsEnd(id)).toMatchObject({ status: "Confirmed", txHash: before.txHash });
      expect([signings, await paid()]).toEqual([0, had]);
    }
  });

  it("when the version that landed is dearer than the network allows now: no other one is taken", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    const before = await toItsEnd(id);
    const landed = before.unsignedTransaction ?? expect.fail("nothing was signed");
    const begun = withOtherFees(landed, -1n);
    remembered.set(id, [begun, landed]);
    sayInstead = () => [said([begun]), said([begun, landed]), said([landed])];
    const { network } = world.network;
    const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(bytesToHex(landed));
    const entry = { ...world.network, feeCap: (gas * maxFeePerGas - 1n).toString() };
    const chain = { family: FAMILIES.familyOf(network), node: NODES.connect(entry) };
    handler = { ...handler, chains: new Map([[network, chain]]) };
    await goBack(before, NOT_BUILT);
    for (let look = 0; look < 4; look += 1) await carry(id);
    expect(await read(id)).toMatchObject({
      status: "Executing",
      signedTransaction: undefined,
      reason: expect.stringContaining("which is not taken over"),
    });
  });

  it("when what signers name is dearer than the network allows now, and the chain has none of it: it is not taken over", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    await carry(id);
    const { unsignedTransaction: named = expect.fail("nothing was signed"), txHash } = await read(id);
    await world.anvil.control.dropTransaction({ hash: `0x${txHash?.slice(2)}` });
    const { network } = world.network;
    const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(bytesToHex(named));
    const entry = { ...world.network, feeCap: (gas * maxFeePerGas - 1n).toString() };
    const chain = { family: FAMILIES.familyOf(network), node: NODES.connect(entry) };
    await goBack({ id }, NOT_BUILT);
    for (let look = 0; look < 3; look += 1)
      await carryOutRequest({ ...handler, chains: new Map([[network, chain]]) }, id);
    const after = await read(id);
    expect([after.signedTransaction, after.unsignedTransaction]).not.toContainEqual(named);
  });

  it("pays once where an earlier request of the wallet has its place now", async () => {
    const first = await world.transfer(wallet, AMOUNT);
    const before = await toItsEnd(first.id);
    await goBack(before, NOT_BUILT);
    const had = await paid();
    // the signers have signed nothing for this new request
    const second = await world.transfer(wallet, AMOUNT);
    expect(await toItsEnd(second.id)).toMatchObject({ status: "Confirmed", sequence: 1n });
    expect(await toItsEnd(first.id)).toMatchObject({ status: "Confirmed", txHash: before.txHash });
    expect(await paid()).toBe(had + AMOUNT);
  });
});

describe("INV-4 of two transfers of a wallet that pay the same", () => {
  const both = async () => {
    const [first, second] = [await world.transfer(wallet, AMOUNT), await world.transfer(wallet, AMOUNT)];
    const before = await toItsEnd(second.id);
    await goBack(second, NOT_BUILT);
    signings = 0;
    const landed = before.unsignedTransaction ?? expect.fail("nothing was signed");
    return { first, second, landed, txHash: before.txHash, had: await paid() };
  };

  it("the earlier one leaves what landed to the later one, for which signers name it", async () => {
    const { first, second, txHash, had } = await both();
    expect(await toItsEnd(first.id)).toMatchObject({ status: "Confirmed", sequence: 1n });
    expect(await toItsEnd(second.id)).toMatchObject({ status: "Confirmed", txHash });
    expect(await paid()).toBe(had + AMOUNT);
  });

  it("the earlier one waits while too few signers say whether it is the later one's", async () => {
    const { first, second, txHash, had } = await both();
    sayInstead = (id) => (id === second.id ? [said([])] : undefined);
    for (let look = 0; look < 3; look += 1) await carry(first.id);
    expect(await read(first.id)).toMatchObject({
      status: "Executing",
      unsignedTransaction: undefined,
      reason: expect.stringContaining("for which of the wallet's requests"),
    });
    expect([signings, (await listUnsure(world.database, 10)).map(({ id }) => id)]).toEqual([0, [first.id]]);
    sayInstead = undefined;
    expect(await toItsEnd(first.id)).toMatchObject({ status: "Confirmed", sequence: 1n });
    expect(await toItsEnd(second.id)).toMatchObject({ status: "Confirmed", txHash });
    expect(await paid()).toBe(had + AMOUNT);
  });

  it.each([
    [
      "which signers name",
      (begun: Uint8Array, landed: Uint8Array) => [said([begun]), said([begun]), said([landed])],
    ],
    [
      "in the place of what signers name",
      (begun: Uint8Array) => [said([begun]), said([begun]), said([begun])],
    ],
  ])("the later one is the version that landed, %s, whichever looks first", async (_, words) => {
    for (const isFirst of [true, false]) {
      const { first, second, landed, txHash, had } = await both();
      const begun = withOtherFees(landed);
      sayInstead = (id) => (id === second.id ? words(begun, landed) : undefined);
      if (isFirst) {
        await carry(first.id);
        expect((await read(first.id)).txHash).not.toBe(txHash);
        signings = 0;
      }
      expect(await toItsEnd(second.id)).toMatchObject({ status: "Confirmed", txHash });
      expect(signings).toBe(0);
      expect((await toItsEnd(first.id)).status).toBe("Confirmed");
      expect(await paid()).toBe(had + AMOUNT);
    }
  });

  it.each(["first", "second"] as const)(
    "a liar that names for the earlier one what more signers name for the later one brings about nothing, where the %s looks first",
    async (looks) => {
      const { first, second, landed, txHash, had } = await both();
      const own = atNonce(landed, 1);
      sayInstead = (id) => (id === first.id ? [said([own]), said([own]), said([landed])] : undefined);
      const inTurn = looks === "first" ? [first, second] : [second, first];
      for (const { id } of inTurn) await toItsEnd(id);
      expect(await read(second.id)).toMatchObject({ status: "Confirmed", txHash });
      expect(await read(first.id)).toMatchObject({ status: "Confirmed", sequence: 1n });
      expect(await paid()).toBe(had + AMOUNT);
    },
  );

  it("the earlier one takes nothing that landed in no place of what signers name for it", async () => {
    const { first, second, landed, txHash, had } = await both();
    sayInstead = (id) => {
      if (id === first.id) return Array.from({ length: SIGNERS }, () => said([atNonce(landed, 1)]));
      return id === second.id ? [said([]), said([]), said([])] : undefined;
    };
    remembered.delete(second.id);
    expect(await toItsEnd(second.id)).toMatchObject({ status: "Confirmed", txHash });
    expect(await toItsEnd(first.id)).toMatchObject({ status: "Confirmed", sequence: 1n });
    expect(await paid()).toBe(had + AMOUNT);
  });
});

describe("INV-4 the place of a transfer that was sent", () => {
  /** Lands another version in place of the recorded one. @returns its hash */
  const landsInstead = async (id: TransferId, version: (sent: Uint8Array) => Uint8Array) => {
    const { unsignedTransaction: sent = expect.fail("nothing was signed"), txHash } = await read(id);
    await world.anvil.control.dropTransaction({ hash: `0x${txHash?.slice(2)}` });
    const unsigned = version(sent);
    const { family, node } = chainOf();
    const signed = family.attach(unsigned, [signAnew(keccak256(unsigned, "bytes"))], [publicKey]);
    if (!signed.ok) expect.fail(signed.problem.message);
    expect(await node.broadcast(signed.value.signed)).toEqual({ kind: "accepted" });
    await mine();
    return { unsigned, ...signed.value };
  };

  it.each(["Broadcasted", "Executing"])(
    "is another version's, which landed: the transfer was %s, and is Confirmed as that one",
    async (status) => {
      const { id } = await world.transfer(wallet, AMOUNT);
      await carry(id);
      const { unsigned, signed, txHash } = await landsInstead(id, withOtherFees);
      await goBack({ id }, `status = '${status}'`);
      const after = await toItsEnd(id);
      expect(after).toMatchObject({ status: "Confirmed", txHash, fee: expect.stringMatching(/^[1-9]/) });
      const { unsignedTransaction, signedTransaction } = after;
      expect([unsignedTransaction, signedTransaction].map((bytes) => bytes && bytesToHex(bytes))).toEqual(
        [unsigned, signed].map((bytes) => bytesToHex(bytes)),
      );
      expect(await paid()).toBe(AMOUNT);
    },
  );

  it("is another payment's: the transfer has failed", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    await carry(id);
    await landsInstead(id, (sent) => withOtherFees(sent, 1n, AMOUNT + 1n));
    expect(await toItsEnd(id)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("another transaction used the account nonce"),
    });
  });

  it.each(["before", "while"])(
    "is that of another request, which took the same payment over %s it was looked at: the transfer has failed",
    async (when) => {
      const first = await world.transfer(wallet, AMOUNT);
      await carry(first.id);
      const { unsigned, signed, txHash } = await landsInstead(first.id, withOtherFees);
      const other = await world.transfer(wallet, AMOUNT);
      const hex = (bytes: Uint8Array) => `'\\x${Buffer.from(bytes).toString("hex")}'`;
      const takeOver = () =>
        goBack(
          other,
          `status = 'Broadcasted', unsigned_transaction = ${hex(unsigned)}, signed_transaction = ${hex(signed)}, tx_hash = '${txHash}'`,
        );
      if (when === "before") await takeOver();
      const { family, node } = chainOf();
      const findSent: ChainNode["findSent"] = async (...search) => {
        const found = await node.findSent?.(...search);
        if (when === "while") await takeOver();
        return found ?? expect.fail("it finds nothing");
      };
      const chain = { family, node: { ...node, findSent } };
      handler = { ...handler, chains: new Map([[world.network.network, chain]]) };
      expect(await toItsEnd(first.id)).toMatchObject({ status: "Failed" });
    },
  );

  it("is not shown by its node: the transfer waits, and has not failed", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    await carry(id);
    const { txHash } = await landsInstead(id, withOtherFees);
    const chain = chainOf();
    const shown = handler;
    const node: ChainNode = { ...chain.node, findSent: async () => fail("ServiceUnavailable") };
    handler = { ...handler, chains: new Map([[world.network.network, { ...chain, node }]]) };
    expect((await toItsEnd(id)).status).toBe("Broadcasted");
    handler = shown;
    expect(await toItsEnd(id)).toMatchObject({ status: "Confirmed", txHash });
  });
});

describe("INV-4 no bytes are taken over", () => {
  /** Bytes of another transfer, which signers have signed. */
  const foreign = async (): Promise<Uint8Array> => {
    const { id } = await world.transfer(wallet, 7n);
    await toItsEnd(id);
    return remembered.get(id)?.[0] ?? expect.fail("nothing was signed");
  };

  it("that pay something else, whichever signers name them: nothing is signed, and nothing fails", async () => {
    const bytes = await foreign();
    const { id } = await world.transfer(wallet, AMOUNT);
    sayInstead = () => Array.from({ length: SIGNERS }, () => said([bytes]));
    await world.anvil.control.setBalance({ address: getAddress(wallet.address), value: 1n });
    await carry(id);
    expect(await read(id)).toMatchObject({
      status: "Executing",
      signedTransaction: undefined,
      reason: "waiting for signers to say whether they have signed it",
    });
    expect(remembered.get(id)).toBeUndefined();
  });

  it("that no more signers name than may lie", async () => {
    const { id } = await world.transfer(wallet, AMOUNT);
    await carry(id);
    await world.anvil.control.dropTransaction({ hash: `0x${(await read(id)).txHash?.slice(2)}` });
    await mine();
    const [bytes = new Uint8Array()] = remembered.get(id) ?? [];
    remembered.delete(id);
    await goBack({ id }, NOT_BUILT);
    sayInstead = () => [said([bytes]), said([]), said([])];
    await carry(id);
    const signed = (await read(id)).unsignedTransaction ?? expect.fail("nothing was built");
    const digest = (each: Uint8Array) => createHash("sha256").update(each).digest("hex");
    expect(digest(signed)).not.toBe(digest(bytes));
  });

  it("while too few answer: what cannot be paid does not fail until they say that they have signed nothing", async () => {
    const { id } = await world.transfer(wallet, parseEther("1000000"));
    sayInstead = () => [said([])];
    await carry(id);
    expect((await read(id)).status).toBe("Executing");
    sayInstead = undefined;
    await carry(id);
    expect((await read(id)).status).toBe("Failed");
  });
});
