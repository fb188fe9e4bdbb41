import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, PlacesToSearch } from "../../chain.ts";
import { openAgedXrpLedger, type ScriptedXrpLedger } from "../../testing/ledgers/xrp-ledger.ts";
import { authorisedXrpl, XRP_TRANSFER, XRPL_SENDER, XRPL_TESTNET } from "../../testing/xrpl-samples.ts";
import { xrplNode } from "./node.ts";

const NEXT = 500n;
const FIRST_LEDGER = 900;

let rippled: ScriptedXrpLedger;
let node: ChainNode;
beforeEach(async () => {
  rippled = await openAgedXrpLedger();
  node = xrplNode({ ...XRPL_TESTNET, rippledUrl: rippled.node.url });
  // others' payments fill endless pages, and the node has few ledgers
  rippled.says("account_tx", { ledger_index_min: FIRST_LEDGER, transactions: [], marker: 1 });
});
afterEach(() => rippled.stop());

const search = async (places: PlacesToSearch) =>
  (await node.findSent?.(XRPL_SENDER, {
    act: authorisedXrpl(XRP_TRANSFER),
    sinceMs: 0,
    places,
    isIt: async () => true,
  })) ?? expect.fail("it finds nothing");

describe("INV-4 the transaction that an account has sent", () => {
  it("is nothing in a place that its sequence has not passed, however much it was paid since", async () => {
    expect(await search({ lowest: NEXT, highest: NEXT, isExplained: () => false })).toEqual({ ok: true });
    expect(await search({ lowest: NEXT, highest: undefined, isExplained: () => false })).toEqual({
      ok: true,
    });
  });

  it("is not known where it may be in places that were passed", async () => {
    const places = { lowest: NEXT - 1n, highest: NEXT - 1n, isExplained: () => false };
    expect(await search(places)).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });

  it("is not known where it waits in the queue, in a place that nothing explains", async () => {
    const queued = { txn_count: 1, transactions: [{ seq: Number(NEXT) }] };
    rippled.shows(XRPL_SENDER, {}, { queue_data: queued });
    const places = { lowest: NEXT, highest: undefined, isExplained: () => false };
    expect(await search(places)).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
    expect(await search({ ...places, isExplained: (place) => place === NEXT })).toEqual({ ok: true });
  });
});
