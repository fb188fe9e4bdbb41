import { Asset, Keypair, Operation } from "@stellar/stellar-sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Arrival, ChainNode } from "../../chain.ts";
import {
  horizonPage,
  openStellarLedger,
  type ScriptedStellarLedger,
} from "../../testing/ledgers/stellar-ledger.ts";
import { STELLAR_TESTNET } from "../../testing/stellar-samples.ts";
import { stellarNode } from "./node.ts";

let ledger: ScriptedStellarLedger;
let node: ChainNode;
beforeAll(async () => {
  ledger = await openStellarLedger();
});
beforeEach(() => {
  ledger.node.reset();
  node = stellarNode({ ...STELLAR_TESTNET, horizonUrl: ledger.node.url });
});
afterAll(() => ledger.stop());

const arrivalsOf = async (
  node: ChainNode,
  height: bigint,
  ours: string,
): Promise<readonly Arrival[] | undefined> => {
  const found = await node.arrivals?.(
    height,
    async (asked) => new Set(asked.filter((address) => address === ours)),
  );
  return found?.ok === true
    ? found.value
    : expect.fail(found === undefined ? "nothing is told" : found.problem.message);
};

describe("of a ledger that checks as stellar-core does", () => {
  const [ALICE, BOB] = [Keypair.random(), Keypair.random()];
  const [ALICES, BOBS] = [ALICE.publicKey(), BOB.publicKey()];
  let faucet: string;
  beforeAll(async () => {
    faucet = String((await ledger.admin("hold"))["faucet"]);
    await ledger.fund(ALICES, 1_000_000_000);
    await ledger.fund(BOBS, 20_000_000);
  });

  const lumens = (destination: string, amount: string) =>
    Operation.payment({ destination, asset: Asset.native(), amount });

  it("an account's first lumens arrive", async () => {
    const address = Keypair.random().publicKey();
    await ledger.fund(address, 15_000_000);
    expect(await arrivalsOf(node, BigInt((await ledger.last()).sequence), address)).toMatchObject([
      { from: faucet, moved: { kind: "Native", to: address, amount: "15000000" } },
    ]);
  });

  it("payments arrive, each in a place of its own, at a wallet of ours alone", async () => {
    const { txHash, height } = await ledger.land(ALICE, lumens(BOBS, "2.5"), lumens(BOBS, "0.0000001"));
    const arrivals = await arrivalsOf(node, height, BOBS);
    expect(arrivals).toMatchObject([
      { txHash, from: ALICES, moved: { kind: "Native", to: BOBS, amount: "25000000" } },
      { txHash, from: ALICES, moved: { kind: "Native", to: BOBS, amount: "1" } },
    ]);
    expect(new Set(arrivals?.map(({ place }) => place)).size).toBe(2);
    expect(await arrivalsOf(node, height, BOBS)).toEqual(arrivals);
    expect(await arrivalsOf(node, height, ALICES)).toEqual([]);
  });

  it("the payment of a failed transaction does not arrive", async () => {
    const { height } = await ledger.land(ALICE, lumens(BOBS, "1"), lumens(Keypair.random().publicKey(), "1"));
    expect(await arrivalsOf(node, height, BOBS)).toEqual([]);
  });

  it("an asset arrives; a trustline does not", async () => {
    const asset = new Asset("COIN", ALICES);
    const trust = await ledger.land(BOB, Operation.changeTrust({ asset }));
    expect(await arrivalsOf(node, trust.height, BOBS)).toEqual([]);
    const { txHash, height } = await ledger.land(
      ALICE,
      Operation.payment({ destination: BOBS, asset, amount: "0.0000007" }),
    );
    expect(await arrivalsOf(node, height, BOBS)).toMatchObject([
      {
        txHash,
        place: expect.stringMatching(/^[0-9]+-0$/),
        from: ALICES,
        moved: { kind: "Sep41", issuer: ALICES, assetCode: "COIN", to: BOBS, amount: "7" },
      },
    ]);
  });

  it("the rest of a merged account arrives", async () => {
    const account = Keypair.random();
    await ledger.fund(account.publicKey(), 30_000_000);
    const { txHash, height } = await ledger.land(account, Operation.accountMerge({ destination: BOBS }));
    expect(await arrivalsOf(node, height, BOBS)).toMatchObject([
      { txHash, from: account.publicKey(), moved: { kind: "Native", to: BOBS, amount: "29999900" } },
    ]);
  });

  it("the arrivals of a ledger that is not there are unknown", async () => {
    expect(await arrivalsOf(node, 1_000_000n, BOBS)).toBeUndefined();
  });
});

describe("Horizon's answers", () => {
  const OURS = Keypair.random().publicKey();
  const ISSUER = Keypair.random().publicKey();
  const HEIGHT = 2n;
  const LEDGER = `/ledgers/${HEIGHT}`;
  const PAYMENTS = `${LEDGER}/payments`;
  beforeAll(() => ledger.mine());

  const nodeLists = (...records: readonly object[]): void => {
    const all = records.map((record, at) => ({
      paging_token: String(4_294_967_296_001 + at),
      transaction_hash: "ab".repeat(32),
      transaction_successful: true,
      ...record,
    }));
    ledger.node.spoilt.set(PAYMENTS, horizonPage(all));
  };
  /** Makes the ledger report this number of operations, or none. */
  const hasOperations = (count: number | undefined): void =>
    ledger.shows(LEDGER, (closed) => ({ ...closed, operation_count: count }));

  const credit = { asset_type: "credit_alphanum4", asset_code: "USDC", asset_issuer: ISSUER };
  const paid = { type: "payment", from: ISSUER, to: OURS, amount: "1.0000000", asset_type: "native" };

  it.each(["path_payment_strict_receive", "path_payment_strict_send"])(
    "a payment of type %s arrives as what its receiver got",
    async (type) => {
      nodeLists({
        ...paid,
        ...credit,
        type,
        amount: "2.0000000",
        source_amount: "9.0000000",
        source_asset_type: "native",
      });
      expect(await arrivalsOf(node, HEIGHT, OURS)).toMatchObject([
        { moved: { kind: "Sep41", issuer: ISSUER, assetCode: "USDC", to: OURS, amount: "20000000" } },
      ]);
    },
  );

  it("each transfer that a contract of an asset tells of arrives, and what it makes out of nothing", async () => {
    nodeLists({
      type: "invoke_host_function",
      asset_balance_changes: [
        { type: "transfer", from: "CA", to: "CB", amount: `${"9".repeat(30)}.0000000`, asset_type: "native" },
        { type: "transfer", from: "CA", to: OURS, amount: "0.0000005", asset_type: "native" },
        { type: "mint", to: OURS, amount: "3.0000000", ...credit },
        { type: "burn", from: OURS, amount: "3.0000000", ...credit },
        { type: "transfer", from: "CA", to: OURS, amount: "0.0000000", ...credit },
      ],
    });
    expect(await arrivalsOf(node, HEIGHT, OURS)).toMatchObject([
      { place: "4294967296001-1", from: "CA", moved: { kind: "Native", amount: "5" } },
      { place: "4294967296001-2", from: undefined, moved: { kind: "Sep41", amount: "30000000" } },
    ]);
  });

  it("failed payments and types that are not known bring nothing", async () => {
    nodeLists({ ...paid, transaction_successful: false }, { type: "a_new_kind" });
    expect(await arrivalsOf(node, HEIGHT, OURS)).toEqual([]);
  });

  it.each([
    ["a payment without an amount", { ...paid, amount: undefined }],
    ["an amount without its decimals", { ...paid, amount: "1" }],
    ["an asset without a code", { ...paid, asset_type: "credit_alphanum4" }],
    ["an operation of no transaction", { ...paid, transaction_hash: "" }],
  ])("%s is a node that cannot be read: the ledger is read again later", async (_, record) => {
    nodeLists(record);
    const found = await node.arrivals?.(HEIGHT, async (asked) => new Set(asked));
    expect(found).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });

  const answers = (path: string, status: number, text: string): void => {
    ledger.node.spoilt.set(`${LEDGER}${path}`, { status, text });
  };
  const reported = async () => node.arrivals?.(HEIGHT, async (asked) => new Set(asked));
  const unread = { ok: false, problem: { code: "ServiceUnavailable" } };
  const BEFORE_HISTORY = JSON.stringify({
    type: "https://stellar.org/horizon-errors/before_history",
    title: "Data Requested Is Before Recorded History",
    status: 410,
  });

  it("K5 a ledger that Horizon has reaped is forgotten, and by no other answer", async () => {
    answers("", 410, BEFORE_HISTORY);
    expect(await reported()).toEqual({ ok: true, value: undefined });
    expect(await node.block(HEIGHT, new Set())).toEqual({ ok: true, value: undefined });
    for (const [status, text] of [
      [410, "gone"],
      [410, JSON.stringify({ type: "https://stellar.org/horizon-errors/stale_history", status: 410 })],
      [503, BEFORE_HISTORY],
    ] as const) {
      answers("", status, text);
      expect(await reported()).toMatchObject(unread);
    }
    ledger.node.spoilt.clear();
    answers("/payments", 410, BEFORE_HISTORY);
    expect(await reported()).toMatchObject(unread);
  });

  const linksOf = (limit: number): object => ({ _links: { next: { href: `/?limit=${limit}&order=asc` } } });

  /** Makes the node serve pages of a list only if they have at most `most` records. */
  const pages = (
    count: number,
    most: number,
    status = 413,
    given = 200,
    links = linksOf,
  ): readonly string[] => {
    const records = Array.from({ length: count }, (_, at) => ({
      paging_token: String(at + 1),
      transaction_hash: "ab".repeat(32),
      ...paid,
    }));
    const asked: string[] = [];
    ledger.node.answers = ({ path }) => {
      if (!path.startsWith(PAYMENTS)) return undefined;
      const { searchParams } = new URL(path, ledger.url);
      const [from, limit] = [Number(searchParams.get("cursor") ?? 0), Number(searchParams.get("limit"))];
      asked.push(`${from}+${limit}`);
      return limit > most
        ? { status, text: "" }
        : horizonPage(records.slice(from, from + Math.min(limit, given)), links(limit));
    };
    return asked;
  };

  it("K5 a list whose pages are too large is read in smaller ones, whole", async () => {
    const asked = pages(70, 30);
    const found = await arrivalsOf(node, HEIGHT, OURS);
    expect(new Set(found?.map(({ place }) => place)).size).toBe(70);
    expect(asked).toEqual(["0+200", "0+100", "0+50", "0+25", "25+25", "50+25"]);
  });

  it("K5 a list whose pages are too slow is read in smaller ones, and never passed over", async () => {
    const asked = pages(70, 30, 504);
    expect(await arrivalsOf(node, HEIGHT, OURS)).toHaveLength(70);
    expect(asked).toEqual(["0+200", "0+25", "25+25", "50+25"]);
    pages(3, 0, 504);
    expect(await reported()).toMatchObject(unread);
  });

  it("K5 a list is read over several rounds where a page is missing at first, each other page once", async () => {
    const asked = pages(450, 200);
    const whole = ledger.node.answers;
    let isLate = true;
    ledger.node.answers = (request) =>
      request.path.includes("cursor=200") && isLate ? { status: 500, text: "" } : whole(request);
    expect(await reported()).toMatchObject(unread);
    isLate = false;
    expect(await arrivalsOf(node, HEIGHT, OURS)).toHaveLength(450);
    expect(asked).toEqual(["0+200", "200+200", "400+200"]);
  });

  it.each([
    [
      "says so",
      (limit: number) => ({ _links: { next: { href: `/?limit=${Math.min(limit, 20)}&order=asc` } } }),
    ],
    ["does not say so", () => ({})],
  ])(
    "K5 a list is read whole from a node that gives fewer records a page than are asked for, and %s",
    async (_, links) => {
      pages(50, 200, 413, 20, links);
      expect(await arrivalsOf(node, HEIGHT, OURS)).toHaveLength(50);
    },
  );

  it("K5 a list is not read where a page is another one than was asked for, and is read once it is the right one", async () => {
    pages(450, 200);
    const whole = ledger.node.answers;
    let isOdd = true;
    ledger.node.answers = ({ path, ...rest }) =>
      whole({ ...rest, path: isOdd ? path.replace(/&cursor=[0-9]+/, "") : path });
    for (let times = 0; times < 2; times += 1) expect(await reported()).toMatchObject(unread);
    isOdd = false;
    expect(await arrivalsOf(node, HEIGHT, OURS)).toHaveLength(450);
  });

  it("K5 a list is not read where a page has a record twice, or behind a later one", async () => {
    for (const places of [
      ["7", "7"],
      ["8", "7"],
      ["7", "9", "8"],
    ]) {
      nodeLists(...places.map((place) => ({ ...paid, paging_token: place })));
      expect(await reported()).toMatchObject(unread);
    }
  });

  it("K5 an answer that is longer than is read is one that is too large", async () => {
    answers("/payments", 200, "x".repeat(4 * 1024 * 1024 + 1));
    expect(await reported()).toMatchObject({ ok: false, problem: { code: "BlockTooLarge" } });
  });

  const listOf = (...records: readonly object[]): string => JSON.stringify({ _embedded: { records } });

  it("K5 an empty list of payments is doubted where the ledger has operations, and believed where its node shows one", async () => {
    hasOperations(3);
    answers("/payments", 200, listOf());
    answers("/operations", 200, listOf());
    expect(await reported()).toMatchObject(unread);
    answers("/operations", 503, "");
    expect(await reported()).toMatchObject(unread);
    answers("/operations", 200, listOf({ type: "bump_sequence" }));
    expect(await reported()).toEqual({ ok: true, value: [] });
    const asked = ledger.paths().filter((path) => path.includes("/operations"));
    const query = "include_failed=false&limit=1&order=asc";
    expect(asked).toEqual(Array(3).fill(`/ledgers/${HEIGHT}/operations?${query}`));
  });

  it("K5 a list is not believed from a replica behind the ledger, but from one that does not say how far it is", async () => {
    hasOperations(3);
    const lists = (...records: readonly object[]): void =>
      ledger.node.says(PAYMENTS, () => ({ ...linksOf(200), _embedded: { records } }));
    const payment = { paging_token: "1", transaction_hash: "ab".repeat(32), ...paid };
    answers("/operations", 200, listOf({ type: "bump_sequence" }));
    const asOf = (sequence: number | undefined, ...records: readonly object[]): void => {
      lists(...records);
      ledger.answersAsOf(sequence);
    };
    asOf(Number(HEIGHT) - 1);
    expect(await reported()).toMatchObject(unread);
    asOf(Number(HEIGHT) - 1, payment);
    expect(await reported()).toMatchObject(unread);
    asOf(undefined, payment);
    expect(await arrivalsOf(node, HEIGHT, OURS)).toHaveLength(1);
    asOf(Number(HEIGHT), payment);
    expect(await arrivalsOf(node, HEIGHT, OURS)).toHaveLength(1);
  });

  it("K5 a list of payments is believed where the ledger has no operations, does not say so, or is paid in", async () => {
    answers("/operations", 200, listOf());
    for (const count of [0, undefined]) {
      hasOperations(count);
      answers("/payments", 200, listOf());
      expect(await reported()).toEqual({ ok: true, value: [] });
    }
    hasOperations(3);
    nodeLists(paid);
    expect(await arrivalsOf(node, HEIGHT, OURS)).toHaveLength(1);
    expect(ledger.paths().some((path) => path.includes("/operations"))).toBe(false);
  });

  it("K5 a ledger is too large where one record is, and where it has more than are read", async () => {
    const asked = pages(3, 0);
    expect(await reported()).toMatchObject({
      ok: false,
      problem: { code: "BlockTooLarge", details: { height: HEIGHT.toString() } },
    });
    expect(asked.at(-1)).toBe("0+1");
    pages(9_999, 200);
    expect((await arrivalsOf(node, HEIGHT, OURS))?.length).toBe(9_999);
    pages(10_001, 200);
    expect(await reported()).toMatchObject({ ok: false, problem: { code: "BlockTooLarge" } });
  });
});
