import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, PlacesToSearch } from "../../chain.ts";
import {
  horizonPage,
  openStellarLedger,
  type ScriptedStellarLedger,
} from "../../testing/ledgers/stellar-ledger.ts";
import {
  authorisedStellar,
  LUMEN_TRANSFER,
  STELLAR_SENDER,
  STELLAR_SEQUENCE,
  STELLAR_TESTNET,
} from "../../testing/stellar-samples.ts";
import { stellarNode } from "./node.ts";

const LAST = STELLAR_SEQUENCE;

let ledger: ScriptedStellarLedger;
let node: ChainNode;
beforeAll(async () => {
  ledger = await openStellarLedger();
});
beforeEach(() => {
  ledger.node.reset();
  node = stellarNode({ ...STELLAR_TESTNET, horizonUrl: ledger.node.url });
  // the node has forgotten old ledgers
  ledger.node.spoilt.set(`/accounts/${STELLAR_SENDER}/transactions`, horizonPage([]));
  ledger.shows("/", (root) => ({ ...root, history_elder_ledger: 2 ** 30 }));
});
afterAll(() => ledger.stop());

const stands = (sequence: bigint): void =>
  ledger.shows(`/accounts/${STELLAR_SENDER}`, (account) => ({ ...account, sequence: sequence.toString() }));
const search = async (places: PlacesToSearch) =>
  (await node.findSent?.(STELLAR_SENDER, {
    act: authorisedStellar(LUMEN_TRANSFER),
    sinceMs: 0,
    places,
    isIt: async () => true,
  })) ?? expect.fail("it finds nothing");

describe("INV-4 the transaction that an account has sent", () => {
  it("is nothing in a place that its sequence has not passed, however long ago", async () => {
    const next = LAST + 1n;
    expect(await search({ lowest: next, highest: next, isExplained: () => false })).toEqual({ ok: true });
    expect(await search({ lowest: next, highest: undefined, isExplained: () => false })).toEqual({
      ok: true,
    });
  });

  it("is nothing where the account has sent nothing, or what records explain", async () => {
    const created = STELLAR_SEQUENCE;
    const places = { lowest: 0n, highest: undefined, isExplained: (place: bigint) => place === created + 1n };
    expect(await search(places)).toEqual({ ok: true });
    stands(created + 1n);
    expect(await search(places)).toEqual({ ok: true });
    stands(created + 2n);
    expect(await search(places)).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });

  it("is not known where it may be in places that were passed", async () => {
    const passed = LAST + 1n;
    stands(passed);
    const places = { lowest: passed, highest: passed, isExplained: () => false };
    expect(await search(places)).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });
});
